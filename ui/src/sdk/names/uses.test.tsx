import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { App } from 'antd'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer, refuse } from '@/testing/fake-server'
import type { SavedUse, Usage, UsePlace, UsingDocument } from './api'
import { UsesButton } from './uses-dialog'

beforeAll(async () => {
  Element.prototype.scrollIntoView = () => {}
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('en')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const place = (change: Partial<UsePlace> = {}): UsePlace => ({
  how: 'reference',
  line: 7,
  column: 12,
  text: '"queryColumns": ["fee"]',
  from: 18,
  written: 'fee',
  pointer: '/queryColumns/0',
  ...change,
})
const document = (path: string, change: Partial<UsingDocument> = {}): UsingDocument => ({
  pack: 'clinic',
  path,
  kind: 'list',
  label: { zh: '就诊', i18n: { en: 'Visits' } },
  opens: 'text',
  places: [place()],
  ...change,
})
const usage = (change: Partial<Usage>): Usage => ({
  kind: 'property',
  name: 'visit.fee',
  label: { zh: '费用', i18n: { en: 'Fee' } },
  pack: 'clinic',
  path: 'models/visit.json',
  own: false,
  documents: [],
  count: 0,
  elsewhere: 0,
  problems: [],
  drafts: [],
  saved: [],
  ...change,
})

async function open(answer: unknown) {
  const server = fakeServer({
    '/api/definition/uses': answer,
    '/api/definition/document': { text: 'one\n"queryColumns": ["fee"]\nthree', warnings: [] },
  })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <UsesButton appCode="clinic" kind="property" name="visit.fee" title="Fee" />
      </App>
    </QueryClientProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Used by: “Fee”' }))
  return server
}

it('lists documents with their lines, each of which leads there; what is only a word is apart', async () => {
  const server = await open(
    usage({
      count: 3,
      elsewhere: 2,
      drafts: [{ pack: 'clinic', path: 'lists/visit.json' }],
      problems: [{ file: 'clinic/x.json' } as never],
      documents: [
        document('models/visit.json', {
          kind: 'model',
          opens: '',
          label: { zh: '就诊', i18n: { en: 'Visit' } },
          places: [place({ how: 'definition', text: '', line: 0, from: 0 })],
        }),
        document('workflows/pay.json', {
          kind: 'workflow',
          opens: 'workflow',
          label: { zh: '付款', i18n: { en: 'Payment' } },
        }),
        document('lists/visit.json', { places: [place({ line: 2 })] }),
        document('lists/visit.js', {
          kind: '',
          opens: '',
          label: { zh: 'visit.js', i18n: {} },
          places: [place({ how: 'possible' })],
        }),
      ],
    }),
  )
  const dialog = await screen.findByRole('dialog')
  expect((await within(dialog).findByRole('status')).textContent).toBe(
    'Used in 3 places 2 more places are in applications that you don’t administer.',
  )
  expect(server.of('/api/definition/uses')[0]?.search.toString()).toBe('appCode=clinic&kind=property&name=visit.fee')
  expect(within(dialog).getByText('Your drafts count: clinic/lists/visit.json')).toBeTruthy()
  expect(within(dialog).getByText('1 error: uses in files with errors may be missing here')).toBeTruthy()
  const model = within(dialog).getByRole('article', { name: 'Visit' })
  expect(model.textContent).toContain('the whole file')
  expect(model.textContent).toContain('definition')
  expect(within(model).queryByRole('link')).toBeNull()
  const flow = within(dialog).getByTitle('Open “Payment”, line 7')
  expect(flow.getAttribute('href')).toBe('/workflow-design/clinic/pay')
  expect(flow.querySelector('mark')?.textContent).toBe('fee')
  const maybe = within(dialog).getByRole('region', { name: 'Possible uses' })
  expect(within(maybe).getByRole('article', { name: 'visit.js' })).toBeTruthy()
  expect(within(maybe).queryByRole('article', { name: 'Visits' })).toBeNull()

  fireEvent.click(within(dialog).getByTitle('Open “Visits”, line 2'))
  const text = await screen.findByRole('region', { name: 'Text of “Visits”' })
  const lines = within(text).getAllByRole('listitem')
  expect(lines.map((one) => one.getAttribute('aria-current'))).toEqual([null, 'location', null])
})

it('shows the first places of a long list, and all when asked', async () => {
  const places = Array.from({ length: 25 }, (_, i) => place({ line: i + 1 }))
  await open(usage({ count: 30, documents: [document('lists/visit.json', { places })] }))
  const of = await screen.findByRole('article', { name: 'Visits' })
  expect(within(of).getAllByRole('listitem')).toHaveLength(8)
  expect(screen.getByText('5 more places are not listed')).toBeTruthy()
  fireEvent.click(within(of).getByRole('button', { name: 'Show all 25 places' }))
  expect(within(of).getAllByRole('listitem')).toHaveLength(25)
})

it('says that nothing uses it, and why it cannot say', async () => {
  await open(usage({}))
  expect((await screen.findByRole('status')).textContent).toBe('Nothing uses it')
  cleanup()
  await open(() => refuse(404, 401039, 'Nothing is called “visit.fee”'))
  expect((await screen.findByRole('alert')).textContent).toContain('Nothing is called')
})

it('counts what people saved and what is in records, with names where the reader may know them', async () => {
  const saved = (what: SavedUse['what'], count: number, who: string[] | null = null, of = ''): SavedUse => ({
    what,
    in: of,
    count,
    who,
  })
  await open(
    usage({
      saved: [
        saved('filter', 3, ['Ann', 'Bob']),
        saved('columns', 1),
        saved('record', 12, null, 'duty.field'),
        saved(
          'person',
          40,
          Array.from({ length: 20 }, (_, i) => `P${i}`),
        ),
      ],
    }),
  )
  const dialog = await screen.findByRole('dialog')
  const region = await within(dialog).findByRole('region', { name: 'Saved by people, and in records' })
  const lines = within(region)
    .getAllByRole('listitem')
    .map((one) => one.textContent)
  expect(lines.slice(0, 3)).toEqual([
    '3 saved filters (Ann, Bob)',
    'columns that 1 person chose for exports',
    '12 values of “duty.field” in records',
  ])
  expect(lines[3]).toMatch(/^40 people have this role \(P0, .*P19 and others\)$/)
})
