// A date or time that cannot be read stops the save, in words of its type; what is still being typed is read before it.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createRef } from 'react'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { FormField, FormLoad } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { loadWidgets } from '@/registry/properties'
import { fakeServer } from '@/testing/fake-server'
import { press, type } from '@/testing/keys'
import { RecordForm, type Submit } from '../record/record-form'
import { useRecord } from '../record/use-record'
import { useSaveKey } from './use-save-key'

const field = (propertyCode: string, propertyType: number, more: object = {}) =>
  ({ propertyCode, propertyType, name: propertyCode, name_i18n: {}, children: null, ...more }) as unknown as FormField
const dates = [
  field('date', 3, { displayFormat: 'yyyy-MM-dd' }),
  field('month', 3, { displayFormat: 'yyyy-MM' }),
  field('moment', 3, { displayFormat: 'yyyy-MM-dd HH:mm' }),
  field('time', 20, { displayFormat: 'HH:mm:ss' }),
]
const fields = [...dates, field('items', 8, { children: dates, settings: { maxRows: 50 } })]
const load = {
  id: 'r1',
  version: 1,
  actions: ['save'],
  data: { date: '2026-01-05', items: [{ id: 'a' }, { id: 'b' }] },
  form: {
    schemaCode: 's',
    sheetCode: 's',
    columns: 1,
    fields,
    layout: fields.map(({ propertyCode }) => ({ type: 'Field', propertyCode })),
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        fields.map(({ propertyCode: code }) => [code, { type: code === 'items' ? 'array' : 'string' }]),
      ),
    },
    uiSchema: {},
  },
} as unknown as FormLoad
const form = createRef<Submit>()

function Page() {
  const record = useRecord(load, () => {})
  useSaveKey(true, () => form.current?.submit())
  return (
    <>
      <RecordForm
        {...{ load, record, form }}
        layout={{ layout: load.form.layout, columns: 1, related: () => null, shown: () => true }}
        onFaults={() => {}}
        onFound={() => {}}
        onSubmit={() => record.saving.mutate(undefined)}
      />
      <button type="button" onClick={() => form.current?.submit()}>
        Save
      </button>
    </>
  )
}

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadWidgets([3, 8, 20])
  await setLocale('en')
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(new Date('2026-11-22T03:00:00Z'))
})
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const at = (code: string) => document.querySelector<HTMLElement>(`[data-field="${code}"]`) as HTMLElement
const box = (code: string) => at(code).querySelector('input') as HTMLInputElement
const save = () => act(() => void press('s', { ctrlKey: true }))

/** Types over what is in a box, and stays in it. */
async function over(code: string, text: string) {
  act(() => box(code).focus())
  fireEvent.input(box(code), { target: { value: '' } })
  await type(text)
}

it('what cannot be read stops the save, in a field and in a cell; what is being typed is read and saved', async () => {
  const server = fakeServer({
    '/api/system/config': () => ({ timezone: 'Asia/Shanghai' }),
    '/api/runtime/form/save': () => ({ id: 'r1', version: 2 }),
  })
  const saved = () => server.of('/api/runtime/form/save').map(({ body }) => (body as { data: unknown }).data)
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Page />
    </QueryClientProvider>,
  )
  await screen.findByRole('grid')
  await waitFor(() => expect(document.querySelectorAll('[data-field] input[data-typed]')).toHaveLength(4))
  for (const [code, text, words] of [
    ['date', '2026-02-30', 'Enter a date, such as 2026-11-25 or 1125'],
    ['month', '2026-13', 'Enter a month, such as 2026-11 or 202611'],
    ['moment', 'garbage', 'Enter a date and a time, such as 2026-11-25 09:15'],
    ['time', '25:99', 'Enter a time, such as 09:15 or 0915'],
  ] as const) {
    await over(code, text)
    save() // from within the box
    await within(at(code)).findByText(words)
    expect([box(code).value, box(code).getAttribute('aria-invalid')]).toEqual([text, 'true'])
  }
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(saved()).toEqual([])

  for (const [code, text] of [
    ['date', '1125'],
    ['month', '202612'],
    ['moment', '1125 915'],
    ['time', '8.5'],
  ] as const) {
    await over(code, text)
    act(() => box(code).blur())
    await waitFor(() => expect(box(code).hasAttribute('aria-invalid')).toBe(false))
  }
  // A cell that cannot be read stops it too.
  const cell = document.querySelector('[data-at="1:0"]') as Element
  fireEvent(cell, new MouseEvent('pointerdown', { button: 0, bubbles: true, cancelable: true })) // jsdom knows no pointers
  await waitFor(() => expect((document.activeElement as HTMLElement).dataset.keys).toBe('1:0'))
  await type('2026-13-40')
  save()
  await within(at('items')).findAllByText(/Enter a date, such as 2026-11-25 or 1125/)
  expect(saved()).toEqual([])
  const editor = document.activeElement as HTMLInputElement // the cell is still being edited
  fireEvent.input(editor, { target: { value: '' } })
  await type('2026.11.26')
  save()
  await waitFor(() => expect(saved()).toHaveLength(1))
  expect(saved()[0]).toMatchObject({
    date: '2026-11-25',
    month: '2026-12-01',
    moment: '2026-11-25T01:15:00.000Z',
    time: '08:30:00',
    items: [{ id: 'a' }, { id: 'b', date: '2026-11-26' }],
  })
  // The button saves while a box is being typed in.
  await over('date', '2026-11-21')
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved()).toHaveLength(2))
  expect(saved()[1]).toMatchObject({ date: '2026-11-21' })
})
