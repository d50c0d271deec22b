import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { defineAction } from '@/sdk/action'
import { definePack, definePage, defineView } from '@/sdk/pack'
import { defineProperty } from '@/sdk/property'
import { defineTexts } from '@/sdk/texts'
import { formWidget, loadedWidget, loadWidgets, propertyUI } from './properties'
import { actionUI, addPack, allActions, DefinedTwice, pageUI, viewUI } from './registry'

const all = loadAllTexts()
await startI18n()
await all
afterEach(cleanup)

const texts = defineTexts('harbour', {
  zh: { title: '港口', ships: '{count} 艘船' },
  en: { title: 'Harbour', ships: '{count} ships', ships_one: '{count} ship' },
})

function Title() {
  const t = texts.useText()
  return (
    <h1>
      {t('title')}, {t('ships', { count: 1 })}
    </h1>
  )
}

describe('a pack', () => {
  it('brings all that it defines, under its names', async () => {
    const Widget = () => <input aria-label="mass" />
    addPack(
      definePack({
        pack: 'harbour',
        texts,
        properties: [
          defineProperty<string>({
            name: 'Mass',
            wire: 9950,
            text: (value) => `${value} t`,
            form: async () => ({ FormWidget: Widget }),
          }),
        ],
        actions: [defineAction({ name: 'moor', label: { zh: '靠泊', en: 'Moor' }, list: { place: 'row' } })],
        pages: [definePage({ name: 'quay', Page: Title })],
        views: [defineView({ name: 'map' })],
      }),
    )
    expect(propertyUI(9950).name).toBe('Mass')
    expect(formWidget(9950)).toBeDefined()
    await loadWidgets([9950])
    expect(loadedWidget(9950)).toBe(Widget)
    expect(actionUI('moor')).toBeDefined()
    expect(allActions()).toContain(actionUI('moor'))
    expect(pageUI('harbour', 'quay')?.Page).toBe(Title)
    expect(pageUI('other', 'quay')).toBeUndefined()
    expect(viewUI('map')).toBeDefined()
  })

  it('has its texts in both languages, beside those of the product', async () => {
    const { rerender } = render(<Title />)
    expect(screen.getByRole('heading').textContent).toBe('港口, 1 艘船')
    await setLocale('en')
    rerender(<Title />)
    expect(screen.getByRole('heading').textContent).toBe('Harbour, 1 ship')
    await setLocale('zh')
    expect(texts.text('title')).toBe('港口')
  })

  it('is added whole or not at all: a name that is taken is refused', () => {
    const again = () =>
      addPack({
        pack: 'second',
        actions: [defineAction({ name: 'weigh' }), defineAction({ name: 'moor' })],
        properties: [defineProperty<string>({ name: 'Weight', wire: 9951, text: String })],
      })
    expect(again).toThrow(DefinedTwice)
    expect(again).toThrow('the action "moor" of second is defined by harbour already')
    expect(actionUI('weigh')).toBeUndefined()
    expect(propertyUI(9951).name).toBe('#9951')
    expect(() =>
      addPack({
        pack: 'third',
        actions: [defineAction({ name: 'weigh' })],
        properties: [defineProperty<string>({ name: 'X', wire: 9950, text: String })],
      }),
    ).toThrow('the property type 9950 (X) of third is defined already')
    expect(actionUI('weigh')).toBeUndefined()
    expect(() =>
      addPack({ pack: 'twin', actions: [defineAction({ name: 'a' }), defineAction({ name: 'a' })] }),
    ).toThrow(DefinedTwice)
  })
})
