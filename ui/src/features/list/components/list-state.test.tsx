import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ListConfig, ListRequest } from '@/api/types'
import { MESSAGES } from '@/sdk/feedback'
import { fakeServer, refuse } from '@/testing/fake-server'
import type { ListAction } from '../actions/list-action'
import { ListPage } from '../list-page'
import { useListController } from '../use-list-controller'
import { ListState } from './list-state'

const LIST = '/api/runtime/query/list'

const config = {
  schemaCode: 'lot',
  queryCode: 'lots',
  name: '',
  name_i18n: {},
  modelName: '批',
  modelName_i18n: {},
  searchable: false,
  searched: [],
  orderBy: [],
  queryActions: [],
  queryConditions: [],
  queryColumns: [
    { propertyCode: 'part', propertyType: 0, name: '部位', name_i18n: {}, width: 176, sortable: true, visible: true },
  ],
  queryPresentation: { presentationType: 'table', fixedLeftColumns: [], fixedRightColumns: [] },
} as unknown as ListConfig

const add = { name: 'add', label: '新增', run: vi.fn() } as unknown as ListAction

function Table({ given = config }) {
  const controller = useListController(given)
  return (
    <ListState controller={controller} actions={[add]}>
      <table />
    </ListState>
  )
}

const show = (page: React.ReactNode, at = '/') =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App message={MESSAGES}>
        <MemoryRouter initialEntries={[at]}>{page}</MemoryRouter>
      </App>
    </QueryClientProvider>,
  )

afterEach(cleanup)

const said = () => document.querySelector('.ant-message-error')?.textContent
const rows = { content: [{ id: 'a', data: {} }], totalElements: 1, aggregates: {}, next: null, previous: null }

describe('a list whose rows do not come', () => {
  it('says why, hides the table and can be asked again', async () => {
    let broken = true
    fakeServer({ [LIST]: () => (broken ? refuse(500, 999999, 'no luck today') : rows) })
    show(<Table />)
    await waitFor(() => expect(said()).toBe('no luck today'))
    expect(screen.getByText('list.failed')).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
    broken = false
    fireEvent.click(screen.getByRole('button', { name: 'common.retry' }))
    await screen.findByRole('table')
    expect(screen.queryByText('list.failed')).toBeNull()
  })

  it('is not empty when the answer holds nothing: that is a failure', async () => {
    fakeServer({ [LIST]: null })
    show(<Table />)
    await waitFor(() => expect(said()).toBe('common.noData'))
    expect(screen.queryByRole('table')).toBeNull()
  })
})

describe('a list', () => {
  const nothing = { ...rows, content: [], totalElements: 0 }
  const searched = {
    ...config,
    queryConditions: [{ ...config.queryColumns[0], queryFilterType: 'Contains', visible: true }],
  } as unknown as ListConfig

  it('draws the places of its rows while they come', async () => {
    let come = (_: unknown) => {}
    const waits = new Promise((resolve) => {
      come = resolve
    })
    fakeServer({ [LIST]: () => waits })
    show(<Table />)
    expect(document.querySelector('[data-rows-come]')).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
    come(rows)
    await waitFor(() => expect(document.querySelector('[data-rows-come]')).toBeNull())
  })

  it('without records says so, and offers the first', async () => {
    fakeServer({ [LIST]: nothing })
    show(<Table />)
    await screen.findByText('list.empty')
    fireEvent.click(screen.getByRole('button', { name: '新增' }))
    expect(add.run).toHaveBeenCalledWith([])
  })

  it('that found nothing says by what, and shows all on request', async () => {
    const { of } = fakeServer({
      [LIST]: ({ body }: { body: unknown }) => ((body as ListRequest).filters?.length ? nothing : rows),
    })
    show(<Table given={searched} />, '/?f.part=X')
    await screen.findByText('list.noMatch')
    expect(screen.queryByText('list.empty')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'list.clearFilters' }))
    await screen.findByRole('table')
    expect(of(LIST)).toHaveLength(2)
  })
})

it('a list whose definition does not come says why and can be asked again', async () => {
  const refusal = { status: 404, code: 300002, words: 'no such list' }
  const { of } = fakeServer({
    '/api/runtime/query/config': () => refuse(refusal.status, refusal.code, refusal.words),
    '/api/runtime/query/saved_filters': { content: [] },
  })
  const page = (
    <Routes>
      <Route path="/list/:schemaCode" element={<ListPage />} />
    </Routes>
  )
  show(page, '/list/lot')
  await waitFor(() => expect(said()).toBe('no such list'))
  expect(screen.queryByRole('button', { name: 'common.retry' })).toBeNull() // it would bring the same answer
  cleanup()
  Object.assign(refusal, { status: 500, code: 500000, words: 'not now' })
  show(page, '/list/lot')
  await waitFor(() => expect(said()).toBe('not now'))
  fireEvent.click(screen.getByRole('button', { name: 'common.retry' }))
  await waitFor(() => expect(of('/api/runtime/query/config')).toHaveLength(3))
})
