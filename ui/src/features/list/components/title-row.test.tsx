import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { App } from 'antd'
import { createRef } from 'react'
import { MemoryRouter } from 'react-router'
import { expect, it, vi } from 'vitest'
import type { ListConfig } from '@/api/types'
import { fakeServer } from '@/testing/fake-server'
import type { ListAction } from '../actions/list-action'
import type { FilterPanel } from '../filters/use-filter-panel'
import { useListController } from '../use-list-controller'
import { TitleRow } from './title-row'

const config = {
  schemaCode: 'lot',
  queryCode: 'lots',
  name: '批',
  name_i18n: {},
  modelName: '批',
  modelName_i18n: {},
  searchable: true,
  searched: [],
  orderBy: [],
  queryActions: [],
  queryConditions: [{ propertyCode: 'part', propertyType: 0, name: '部位', name_i18n: {}, visible: true }],
  queryColumns: [],
  queryPresentation: { presentationType: 'table', fixedLeftColumns: [], fixedRightColumns: [] },
} as unknown as ListConfig

const add = {
  name: 'add',
  label: '新增',
  place: 'page',
  tool: null,
  more: [],
  enabled: () => true,
  run: () => {},
} as unknown as ListAction
const panel = { has: true, drawer: false, open: true, setOpen: () => {} } as unknown as FilterPanel

function Row({ actions = [add] }: { actions?: ListAction[] }) {
  const controller = useListController(config)
  return <TitleRow controller={controller} actions={actions} panel={panel} keyword={createRef()} />
}

it('nothing that can be pressed in the title row gets another place when rows, lists and files come', async () => {
  const come: (() => void)[] = []
  const late = (answer: unknown) => () => new Promise((resolve) => come.push(() => resolve(answer)))
  const header = (queryCode: string, presentationType: string) => ({
    queryCode,
    presentationType,
    name: queryCode,
    name_i18n: {},
  })
  fakeServer({
    '/api/runtime/query/list': late({ content: [], totalElements: 7, aggregates: {}, next: null, previous: null }),
    '/api/runtime/query/headers': late([header('lots', 'table'), header('chart', 'gantt')]),
  })
  const { container } = render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <MemoryRouter>
          <Row />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
  const row = () => [...(container.querySelector('.row, [class*="row"]')?.children ?? [])]
  const before = row()
  const gap = before.findIndex((one) => one.className.includes('gap'))
  const pressed = before.filter((one) => one.matches('button, .ant-input-affix-wrapper') || one.querySelector('button'))
  // What is pressed is right of the gap, where what comes on the left moves nothing.
  expect(pressed.length).toBeGreaterThan(4)
  expect(pressed.every((one) => before.indexOf(one) > gap)).toBe(true)
  await vi.waitFor(() => expect(come.length).toBe(2))
  for (const here of come) here()
  await screen.findByRole('radio', { name: 'gantt.chart' })
  await screen.findByTitle('list.view')
  const after = row()
  const kinds = after.findIndex((one) => one.className.includes('kinds'))
  // The late choice between table and chart has its room from the beginning, before all of them.
  expect(after.slice(kinds)).toEqual(before.slice(gap + 1))
  expect(before[gap + 1]?.className).toContain('kinds')
  expect(after.length - kinds).toBe(before.length - gap - 1)
  expect(pressed.map((one) => one.isConnected)).toEqual(pressed.map(() => true))
})

it.each([
  [0, true],
  [7, false],
])('a tool for everything that is found needs no ticks: %i records', async (totalElements, rests) => {
  fakeServer({
    '/api/runtime/query/list': { content: [], totalElements, aggregates: {}, next: null, previous: null },
    '/api/runtime/query/headers': [],
  })
  const run = vi.fn()
  const tool = (name: string, unticked: boolean) => ({
    ...add,
    name,
    label: name,
    place: 'selection',
    tool: 'hint',
    unticked,
    run,
  })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <MemoryRouter>
          <Row actions={[tool('export', true), tool('track', false)] as ListAction[]} />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'export' })
  await vi.waitFor(() => expect(button.disabled).toBe(rests))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'track' }).disabled).toBe(true)
  fireEvent.click(button)
  expect(run.mock.calls).toEqual(rests ? [] : [[[]]])
})
