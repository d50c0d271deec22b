import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadPinyin } from '@/lib/pinyin'
import { PAIRS, READINGS } from '@/testing/names'
import { Choice } from './choice'

const KEYS: Record<string, number> = { Enter: 13, Tab: 9 }
let chosen = vi.fn()

beforeAll(async () => {
  await loadPinyin()
})
afterEach(cleanup)

function show(...names: string[]) {
  chosen = vi.fn()
  const options = names.map((label, i) => ({ value: `o${i}`, label }))
  render(<Choice aria-label="kind" options={options} onChange={(value) => chosen(value)} />)
  const box = screen.getByRole<HTMLInputElement>('combobox', { name: 'kind' })
  fireEvent.mouseDown(box)
  return box
}

const type = (box: HTMLInputElement, text: string) => {
  for (let n = 1; n <= text.length; n++) fireEvent.change(box, { target: { value: text.slice(0, n) } })
}

const paste = (box: HTMLInputElement, text: string) => {
  fireEvent.paste(box, { clipboardData: { getData: () => text } })
  fireEvent.change(box, { target: { value: text } })
}

/** The list highlights after it has drawn, and sounds are known one step after the first letter. */
const rest = () => act(async () => {})

const press = (box: HTMLElement, key: string) =>
  fireEvent.keyDown(box, { key, code: key, keyCode: KEYS[key], which: KEYS[key] })

const listed = () => screen.getAllByRole('option').map((one) => one.textContent)

const WAYS = [
  [type, 'Enter'],
  [paste, 'Tab'],
] as const

describe('a list of choices', () => {
  it.each(PAIRS)('takes %s, and %s only by the mouse', async (name, longer) => {
    for (const [put, key] of WAYS) {
      const both = show(longer, name)
      put(both, name)
      await rest()
      expect(listed()).toEqual([name, longer])
      press(both, key)
      expect(chosen.mock.calls).toEqual([['o1']])
      cleanup()
    }
    const alone = show(longer)
    paste(alone, name)
    await rest()
    for (const [, key] of WAYS) press(alone, key)
    expect(chosen).not.toHaveBeenCalled()
    fireEvent.click(screen.getByText(longer, { selector: '.ant-select-item-option-content' }))
    expect(chosen.mock.calls).toEqual([['o0']])
  })

  it.each(READINGS)('hears $name', async ({ name, sounds }) => {
    const box = show('其他', name)
    for (const sound of sounds) {
      paste(box, sound)
      await rest()
      await rest()
      expect(listed(), sound).toEqual([name])
    }
    press(box, 'Enter')
    expect(chosen.mock.calls).toEqual([['o1']])
  })
})
