import type { FilterProps } from '@sluice/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { Filter } from './filter'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
})
afterEach(cleanup)

const typed = (box: HTMLElement, text: string) => {
  fireEvent.change(box, { target: { value: text } })
  fireEvent.keyDown(box, { key: 'Enter' })
}

it('both ends are kept when the second is given before the first has been applied', () => {
  const chosen = vi.fn()
  const field = { propertyCode: 'day', propertyType: 3, displayFormat: 'yyyy-MM-dd', name: '日', name_i18n: {} }
  const shown = (value: FilterProps['value']) => (
    <QueryClientProvider client={new QueryClient()}>
      <Filter
        {...({ id: 'f', field, schemaCode: 's', operator: 'Between', onSubmit: () => {} } as unknown as FilterProps)}
        value={value}
        onChange={chosen}
      />
    </QueryClientProvider>
  )
  const { rerender } = render(shown(null))
  const [from, to] = screen.getAllByRole('textbox') as [HTMLElement, HTMLElement]
  typed(from, '2026-11-05')
  expect(chosen).toHaveBeenLastCalledWith({ value: '2026-11-05;' })
  typed(to, '2026-11-25') // the list is still being asked: the value is the one before
  expect(chosen).toHaveBeenLastCalledWith({ value: '2026-11-05;2026-11-25' })
  rerender(shown({ value: '2026-01-01;' })) // another one was chosen elsewhere
  typed(screen.getAllByRole('textbox')[1] as HTMLElement, '2026-01-31')
  expect(chosen).toHaveBeenLastCalledWith({ value: '2026-01-01;2026-01-31' })
})

describe('what is typed into a filter', () => {
  /** A filter that keeps its condition; the last argument of what it gave is what a list would be asked with. */
  async function show(displayFormat: string, operator: string) {
    let now: string | null = null
    const field = { propertyCode: 'day', propertyType: 3, displayFormat, name: '日', name_i18n: {} }
    function Holder() {
      const [value, setValue] = useState<FilterProps['value']>(null)
      now = value?.value ?? null
      const props = { id: 'f', field, schemaCode: 's', operator, value, onChange: setValue, onSubmit: () => {} }
      return <Filter {...(props as unknown as FilterProps)} />
    }
    render(
      <QueryClientProvider client={new QueryClient()}>
        <Holder />
      </QueryClientProvider>,
    )
    await setLocale('en')
    return {
      value: () => now,
      note: () => document.getElementById('f-note')?.textContent ?? null,
      shown: (id: string) => (document.getElementById(id) as HTMLInputElement).value,
      type: (id: string, text: string) => {
        const box = document.getElementById(id) as HTMLInputElement
        act(() => box.focus())
        fireEvent.change(box, { target: { value: text } })
        act(() => box.blur())
      },
    }
  }
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(new Date('2026-11-22T03:00:00Z'))
  })
  afterEach(() => void vi.useRealTimers())

  it('is said to be unreadable beside it, and changes nothing', async () => {
    const { type, value, note, shown } = await show('yyyy-MM-dd', 'Between')
    type('f', '2026-11-05')
    expect(value()).toBe('2026-11-05;')
    type('f-end', '11/25')
    expect(value()).toBe('2026-11-05;2026-11-25')
    type('f-end', 'garbage')
    expect(note()).toMatch(/^Enter a date.*not applied/)
    expect([value(), shown('f-end')]).toEqual(['2026-11-05;2026-11-25', 'garbage'])
    type('f-end', '1126')
    expect([note(), value()]).toEqual([null, '2026-11-05;2026-11-26'])
  })

  it('is a month, or whole days of moments', async () => {
    const months = await show('yyyy-MM', 'Equal')
    months.type('f', '2026年12月')
    expect(months.value()).toBe('2026-12')
    cleanup()
    const moments = await show('yyyy-MM-dd HH:mm', 'Between')
    moments.type('f', '2026-11-05')
    moments.type('f-end', '2026-11-25')
    expect(moments.value()).toBe('2026-11-05;2026-11-25')
    moments.type('f-end', '2026-11-25 9:15')
    expect(moments.value()).toBe('2026-11-05;2026-11-25 09:15')
  })
})
