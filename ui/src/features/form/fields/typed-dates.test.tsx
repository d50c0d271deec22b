// What is typed into a box of dates or times is in it until it is left, is read once, and stays where it cannot be read. What each text
// means date-text.test.ts shows; real keys, a composition and a clipboard are in ui/e2e/typing.test.mjs.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { type ComponentType, Suspense, useState } from 'react'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { FormField } from '@/api/types'
import { loadAllTexts, startI18n } from '@/i18n/i18n'
import type { DateKind } from '@/lib/date-text'
import { formWidget, loadWidgets } from '@/registry/properties'
import { type FormWidgetProps, isUnread } from '@/sdk/property'
import { systemConfigQuery } from '@/sdk/system'
import { press } from '@/testing/keys'
import corpus from '../../../../../plugins/core/property/date/testdata/texts.json'

const DATE = 3
const TIME = 20
const patient = { timeout: 20_000 }
const texts = corpus as unknown as Record<DateKind, Record<string, string | null>>
const formats = corpus.formats as Record<DateKind, string>
const kinds = Object.keys(formats) as DateKind[]

let value: unknown
let set: (next: unknown) => void
const changed = vi.fn()

/** A box of a kind with its value, on a form whose installation is in the corpus's zone. */
async function show(kind: DateKind) {
  const propertyType = kind === 'time' ? TIME : DATE
  const Widget = formWidget(propertyType) as ComponentType<FormWidgetProps<unknown>>
  const field = { propertyCode: 'it', propertyType, displayFormat: formats[kind], name: 'it', name_i18n: {} }
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  client.setQueryData(systemConfigQuery.queryKey, { timezone: corpus.zone } as never)
  function Holder() {
    const [held, hold] = useState<unknown>(null)
    value = held
    set = hold
    return (
      <Widget
        {...{ id: 'it', field: field as unknown as FormField, schemaCode: 's', values: () => ({}) }}
        value={held}
        onChange={(next) => {
          changed(next)
          hold(next)
        }}
        invalid={isUnread(held)}
      />
    )
  }
  render(
    <QueryClientProvider client={client}>
      <Suspense>
        <Holder />
      </Suspense>
    </QueryClientProvider>,
  )
  return screen.findByRole<HTMLInputElement>('textbox', {}, patient)
}

const put = (next: unknown) => {
  act(() => set(next))
  changed.mockClear()
}
const leave = (box: HTMLElement) => act(() => box.blur())

/** Puts a text in at once, as a paste does, and leaves the box. */
function enter(box: HTMLInputElement, text: string) {
  act(() => box.focus())
  fireEvent.change(box, { target: { value: text } })
  expect(changed, `${text} is read before the box is left`).not.toHaveBeenCalled()
  leave(box)
}

/** Types a text key by key, each where the caret is, and returns what was in the box before each key and after the last. */
function typeIn(box: HTMLInputElement, text: string) {
  act(() => box.focus())
  const seen = [box.value]
  for (const key of text) {
    const [from, to] = [box.selectionStart ?? 0, box.selectionEnd ?? 0]
    if (fireEvent.keyDown(box, { key }))
      fireEvent.input(box, { target: { value: box.value.slice(0, from) + key + box.value.slice(to) } })
    fireEvent.keyUp(box, { key })
    box.setSelectionRange(from + 1, from + 1)
    seen.push(box.value)
  }
  return seen
}
const growing = (text: string) => ['', ...[...text].map((_, i) => text.slice(0, i + 1))]

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadWidgets([DATE, TIME])
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(new Date(`${corpus.today}T03:00:00Z`))
})
afterEach(cleanup)
afterAll(() => void vi.useRealTimers())

describe.each(kinds)('a box of a %s', (kind) => {
  // A time of a day stays on the day that the box has: date-text.test.ts.
  const cases = kind === 'clock' ? {} : texts[kind]

  it('reads each text of the corpus once, when it is left; what it cannot read stays and is marked', async () => {
    const box = await show(kind)
    const faults = []
    for (const [text, want] of Object.entries(cases)) {
      put(null)
      enter(box, text)
      const times = changed.mock.calls.length
      if (times !== (text === '' ? 0 : 1)) faults.push(`${text} was read ${times} times`)
      const marked = box.getAttribute('aria-invalid') === 'true'
      if (want !== null && (value !== want || marked)) faults.push(`${text} means ${want}, became ${value}`)
      const empty = text.trim() === ''
      const kept = isUnread(value) && value.unread === text && box.value === text && marked
      if (want === null && !empty && !kept) faults.push(`${text} cannot be read, became ${JSON.stringify(value)}`)
      if (empty && value !== null) faults.push(`blanks became ${JSON.stringify(value)}`)
    }
    expect(faults).toEqual([])
  })

  it('has what was typed before each key, right, wrong and over another text', async () => {
    const box = await show(kind)
    const right = Object.entries(texts[kind]).find(([text, want]) => want !== null && text.length > 1) as [
      string,
      string,
    ]
    put(null)
    expect(typeIn(box, right[0])).toEqual(growing(right[0]))
    leave(box)
    expect(changed.mock.calls).toEqual([[kind === 'clock' ? value : right[1]]])
    const before = value
    const shown = box.value
    expect(shown).not.toBe('')

    act(() => box.focus())
    box.select()
    expect(typeIn(box, '99:99x')).toEqual([shown, ...growing('99:99x').slice(1)])
    expect(value).toEqual(before)
    press('Enter')
    expect(value).toEqual({ unread: '99:99x' })
    expect([box.value, box.getAttribute('aria-invalid')]).toEqual(['99:99x', 'true'])
    press('Escape')
    expect(value).toEqual(before)
    expect([box.value, box.getAttribute('aria-invalid')]).toEqual([shown, null])

    // Emptied, given back, and emptied for good.
    fireEvent.change(box, { target: { value: '' } })
    press('Escape')
    expect([box.value, value]).toEqual([shown, before])
    fireEvent.change(box, { target: { value: '' } })
    leave(box)
    expect(value).toBeNull()
  })
})

it('a part of a date is typed over, and read by Enter', async () => {
  const box = await show('date')
  put('2026-01-05')
  act(() => box.focus())
  box.setSelectionRange(5, 7)
  typeIn(box, '12')
  expect([box.value, value]).toEqual(['2026-12-05', '2026-01-05'])
  press('Enter')
  expect(value).toBe('2026-12-05')
})

it('a time stays on its day', async () => {
  const box = await show('clock')
  put('2026-03-05T01:15:00.000Z')
  expect(box.value).toBe('09:15')
  enter(box, '0830')
  expect(value).toBe('2026-03-05T00:30:00.000Z')
})
