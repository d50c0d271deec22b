// The rows of a sub-table are asked for by what its controls say; which rows those are TestRowKinds (runtime/query) shows.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeAll, expect, it, vi } from 'vitest'
import type { ColumnPlan, Filter } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { press, type } from '@/testing/keys'
import type { OpenSheet } from '../list-store'
import type { ListController } from '../use-list-controller'
import { SheetDialog } from './sheet-dialog'

const ROWS = '/api/runtime/query/sheet_rows'
const column = (propertyCode: string, propertyType: number, operators: string[]) =>
  ({ propertyCode, propertyType, name: propertyCode, name_i18n: {}, operators, settings: {} }) as unknown as ColumnPlan
const childColumns = [
  column('item', 0, ['Equal', 'Contains']),
  column('figure', 2, ['Equal', 'Between']),
  column('ok', 4, ['Equal']),
  column('by', 50, ['Contains', 'Have']),
  column('when', 3, ['Equal', 'Between']),
]
const sheet = { row: { id: 'r1' }, column: { ...column('rows', 8, []), childColumns } } as unknown as OpenSheet
const controller = { config: { schemaCode: 'thing', queryCode: 'things' } } as unknown as ListController
const entry = { id: 'u1', name: '王芳', imgUrl: null, type: 3, leaf: true, detail: null, named: 'sound' }

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await setLocale('zh')
})

it('each kind of control narrows the rows from the first page on, and Reset takes all of it back', async () => {
  const server = fakeServer({
    '/api/system/config': { timezone: 'UTC' },
    '/api/runtime/form/options': { content: [entry], totalElements: 1 },
    [ROWS]: { content: [{ id: 'a', item: '明细' }], totalElements: 30 },
  })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <SheetDialog controller={controller} sheet={sheet} />
    </QueryClientProvider>,
  )
  await screen.findByRole('cell', { name: '明细' })
  const last = () => server.of(ROWS).at(-1)?.body as { page: number; filters: Filter[] }
  /** What the rows were asked for with last. */
  const asks = (page: number, ...filters: string[]) =>
    waitFor(() => {
      const { page: at, filters: sent } = last()
      const said = sent.map((one) => `${one.propertyCode} ${one.queryFilterType} ${one.propertyValue}`)
      expect([at, ...said]).toEqual([page, ...filters])
    })
  const box = (code: string) => document.getElementById(`sheet-filter-${code}`) as HTMLInputElement
  const fill = (code: string, text: string) => {
    act(() => box(code).focus())
    fireEvent.change(box(code), { target: { value: text } })
    press('Enter')
  }
  const reset = async () => {
    fireEvent.click(screen.getByRole('button', { name: /重\s?置/ }))
    await asks(0)
  }
  await asks(0)
  await waitFor(() => expect(childColumns.map((one) => box(one.propertyCode))).not.toContain(null)) // they come one by one
  fireEvent.click(screen.getByTitle('2'))
  await asks(1)
  fill('item', '细 3')
  await asks(0, 'item Contains 细 3')
  fill('figure', '6')
  await asks(0, 'item Contains 细 3', 'figure Between 6;')
  await reset()
  fill('when', '2026-03-02')
  fill('when-end', '2026-03-05')
  await asks(0, 'when Between 2026-03-02;2026-03-05')
  await reset()
  act(() => box('ok').focus())
  await type('是')
  await waitFor(() => expect(document.querySelectorAll('.ant-select-item-option')).toHaveLength(1))
  press('Enter')
  await asks(0, 'ok Equal true')
  await reset()
  act(() => box('by').focus())
  await type('wangfang')
  await waitFor(() => expect(server.of('/api/runtime/form/options').at(-1)?.search.get('keyword')).toBe('wangfang'))
  press('Enter')
  await asks(0, 'by Contains u1')
  vi.unstubAllGlobals()
})
