import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter, useLocation } from 'react-router'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ListConfig, ListRequest } from '@/api/types'
import { chooseProject } from '@/sdk/project'
import { fakeServer, refuse } from '@/testing/fake-server'
import { useListController } from './use-list-controller'

const LIST = '/api/runtime/query/list'
const field = (propertyCode: string) => ({ propertyCode, propertyType: 0, name: propertyCode, name_i18n: {} })

const switches = { fixedHeader: true, rowOrdinal: true, columnResizable: true, scrollbarAutoHidding: false }
const config = (more: Partial<ListConfig> = {}): ListConfig => ({
  schemaCode: 'lot',
  queryCode: 'lots',
  name: '',
  name_i18n: {},
  modelName: '',
  modelName_i18n: {},
  modelNamePlural_i18n: {},
  digest: '',
  searchable: true,
  narrowed: false,
  recycle: false,
  searched: [],
  orderBy: [],
  queryActions: [],
  queryConditions: [{ ...field('part'), queryFilterType: 'Contains', visible: true }],
  queryColumns: [
    { ...field('part'), width: 176, sortable: true, visible: true },
    { ...field('remark'), width: 176, sortable: false, visible: false },
  ],
  queryPresentation: {
    presentationType: 'table',
    fixedLeftColumns: [],
    fixedRightColumns: [],
    queryPanelColumns: 3,
    ...switches,
  },
  ...more,
})

const row = (id: string, leaf = true) => ({
  id,
  data: {},
  workflowInstanceId: null,
  sequenceStatus: null,
  version: 1,
  leaf,
})
const server = (rows = [row('a'), row('b')]) =>
  fakeServer({
    '/api/system/config': { name: '', timezone: 'Asia/Shanghai', version: '', dev: false, digest: '' },
    [LIST]: ({ body }: { body: unknown }) => {
      const { parentId, page = 0 } = body as ListRequest
      if (parentId)
        return { content: [row(`${parentId}.1`)], totalElements: 1, aggregates: {}, next: null, previous: null }
      return { content: rows, totalElements: 60, aggregates: {}, next: `n${page}`, previous: page ? `p${page}` : null }
    },
  })

function render(given = config(), address = '/') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>
    </QueryClientProvider>
  )
  return renderHook(() => ({ list: useListController(given), search: useLocation().search }), { wrapper })
}

describe('useListController', () => {
  beforeEach(() => {
    localStorage.clear()
    sessionStorage.clear()
  })

  it('asks for what the address says', async () => {
    const { of } = server()
    const { result } = render(config(), '/?page=2&size=50&sort=-part&f.part=A')
    await waitFor(() => expect(result.current.list.total).toBe(60))
    expect(of(LIST)[0]?.body).toMatchObject({
      page: 1,
      size: 50,
      orderByFields: ['part'],
      orderType: 2,
      filters: [{ propertyCode: 'part', propertyValue: 'A', queryFilterType: 'Contains' }],
    })
  })

  it('goes to the first page when a filter changes, and says so in the address', async () => {
    server()
    const { result } = render(config(), '/?page=3&code=lots')
    await waitFor(() => expect(result.current.list.total).toBe(60))
    act(() => result.current.list.setFilter('part', { value: '闸室' }))
    expect(new URLSearchParams(result.current.search).get('f.part')).toBe('闸室')
    expect(result.current.search).not.toContain('page=')
    expect(result.current.search).toContain('code=lots')
  })

  it('is narrowed by the project that is chosen, visibly, and keeps nothing of it', async () => {
    const { of } = server()
    const site = { ...field('site'), propertyType: 9, relativeCode: 'Site', queryFilterType: 'In', visible: true }
    const given = config({ queryConditions: [...config().queryConditions, site] as ListConfig['queryConditions'] })
    const one = { projectKey: 'p1', projectName: '一号', model: 'site', keys: ['p1', 'p2'] }
    const { result } = render(given)
    await waitFor(() => expect(result.current.list.total).toBe(60))
    const asked = () => new URLSearchParams(result.current.search)
    act(() => chooseProject(one))
    await waitFor(() => expect(of(LIST)).toHaveLength(2))
    expect(of(LIST)[1]?.body).toMatchObject({ filters: [{ propertyCode: 'site', propertyValue: 'p1;p2' }] })
    expect(asked().get('l.site')).toBe('一号')
    act(() => result.current.list.setFilter('part', { value: '闸室' }))
    expect(localStorage.getItem('form-temp') ?? '').not.toContain('site')
    act(() => chooseProject({ ...one, projectKey: 'p9', projectName: '九号', keys: ['p9'] }))
    expect(asked().get('f.site')).toBe('p9')
    act(() => result.current.list.setFilter('site', null))
    expect(asked().get('f.site')).toBe('')
    act(() => chooseProject(null))
    expect(asked().get('f.part')).toBe('闸室')
  })

  it('takes no project where the list has no filter for it', async () => {
    const { of } = server()
    const { result } = render()
    await waitFor(() => expect(result.current.list.total).toBe(60))
    act(() => chooseProject({ projectKey: 'p1', projectName: '一号', model: 'site', keys: ['p1'] }))
    expect(result.current.search).toBe('')
    expect(of(LIST)).toHaveLength(1)
    act(() => chooseProject(null))
  })

  it('turns to neighbour pages by cursor and jumps by number', async () => {
    const { of } = server()
    const { result } = render()
    await waitFor(() => expect(result.current.list.total).toBe(60))
    act(() => result.current.list.setPage(1, 20))
    await waitFor(() => expect(of(LIST)).toHaveLength(2))
    expect(of(LIST)[1]?.body).toMatchObject({ page: 1, cursor: 'n0' })
    await waitFor(() => expect(result.current.list.query.isPlaceholderData).toBe(false))
    act(() => result.current.list.setPage(0, 50))
    await waitFor(() => expect(of(LIST)).toHaveLength(3))
    expect(of(LIST)[2]?.body).not.toHaveProperty('cursor')
  })

  it('keeps what is ticked through pages, orders and refreshes, and forgets it with other filters', async () => {
    server()
    const { result } = render()
    await waitFor(() => expect(result.current.list.rows).toHaveLength(2))
    const { store, setPage, setSort, refresh, setFilter } = result.current.list
    const ticked = () => [...result.current.list.selected.keys()]
    act(() => store.getState().selectOf(result.current.list.rows, [row('a')]))
    act(() => setPage(1, 20))
    await waitFor(() => expect(result.current.search).toContain('page=2'))
    expect(ticked()).toEqual(['a'])
    act(() => store.getState().selectOf([row('c')], [row('c')]))
    expect(ticked()).toEqual(['a', 'c'])
    act(() => setSort({ code: 'part', direction: 1 }))
    await act(() => refresh())
    expect(ticked()).toEqual(['a', 'c'])
    act(() => store.getState().selectOf([row('c')], []))
    expect(ticked()).toEqual(['a'])
    act(() => setFilter('part', { value: 'x' }))
    expect(ticked()).toEqual([])
  })

  it('has as many rows on a page as the person wanted last', async () => {
    const { of } = server()
    const first = render()
    await waitFor(() => expect(first.result.current.list.total).toBe(60))
    act(() => first.result.current.list.setPage(0, 50))
    await waitFor(() => expect(of(LIST).at(-1)?.body).toMatchObject({ size: 50 }))
    first.unmount()
    const again = render()
    await waitFor(() => expect(again.result.current.list.total).toBe(60))
    expect(of(LIST).at(-1)?.body).toMatchObject({ size: 50 })
    expect(again.result.current.search).toBe('')
    const other = render(config({ queryCode: 'others' }))
    await waitFor(() => expect(other.result.current.list.total).toBe(60))
    expect(of(LIST).at(-1)?.body).toMatchObject({ size: 20 })
  })

  it('says which filter of the address has an operator and no value', async () => {
    const { of } = server()
    const { result } = render(config(), '/?o.part=Between&f.x=1')
    await waitFor(() => expect(result.current.list.total).toBe(60))
    expect(result.current.list.bare).toEqual(['part'])
    expect(of(LIST)[0]?.body).toMatchObject({ filters: [] })
    act(() => result.current.list.setPage(1, 20))
    expect(result.current.list.bare).toEqual(['part'])
    act(() => result.current.list.dropBare())
    expect(result.current.list.bare).toEqual([])
    expect(result.current.search).not.toContain('o.part')
  })

  it('loads children when their row is opened and keeps them through a refresh', async () => {
    const { of } = server([row('a', false), row('b')])
    const tree = config({
      queryPresentation: {
        presentationType: 'tree',
        fixedLeftColumns: [],
        fixedRightColumns: [],
        queryPanelColumns: 3,
        ...switches,
      },
    })
    const { result } = render(tree)
    await waitFor(() => expect(result.current.list.rows).toHaveLength(2))
    expect(of(LIST)[0]?.body).toMatchObject({ parentId: '' })
    act(() => result.current.list.store.getState().toggleRow('a'))
    await waitFor(() =>
      expect(result.current.list.rows.map((r) => [r.id, r.depth])).toEqual([
        ['a', 0],
        ['a.1', 1],
        ['b', 0],
      ]),
    )
    await act(() => result.current.list.refresh())
    expect(result.current.list.rows).toHaveLength(3)
    act(() => result.current.list.store.getState().toggleRow('a'))
    expect(result.current.list.rows).toHaveLength(2)
  })

  it('asks for the rows above those that a filtered tree finds', async () => {
    const { of } = server()
    const tree = config({
      queryPresentation: {
        presentationType: 'tree',
        fixedLeftColumns: [],
        fixedRightColumns: [],
        queryPanelColumns: 3,
        ...switches,
      },
    })
    const { result } = render(tree, '/?f.part=A')
    await waitFor(() => expect(result.current.list.total).toBe(60))
    expect(result.current.list).toMatchObject({ tree: false, nested: true })
    expect(of(LIST)[0]?.body).toMatchObject({ ancestors: true })
    expect(of(LIST)[0]?.body).not.toHaveProperty('parentId')
  })

  it('shows what was found in a tree below the rows above it, which nobody ticks', async () => {
    const found = { ...row('b'), parentId: 'a', match: true }
    fakeServer({
      '/api/system/config': { name: '', timezone: 'Asia/Shanghai', version: '', dev: false, digest: '' },
      [LIST]: {
        content: [found],
        ancestors: [{ ...row('a', false), parentId: null, match: false }],
        totalElements: 1,
        aggregates: {},
        next: null,
        previous: null,
      },
    })
    const tree = config({ queryPresentation: { ...config().queryPresentation, presentationType: 'tree' } })
    const { result } = render(tree, '/?q=b')
    await waitFor(() => expect(result.current.list.total).toBe(1))
    expect(result.current.list.rows.map(({ id, depth, branch, above }) => [id, depth, branch, above])).toEqual([
      ['a', 0, null, true],
      ['b', 1, null, undefined],
    ])
  })

  it('looks for a word from the first page on, in a tree with what is above, and drops it with the filters', async () => {
    const { of } = server()
    const tree = config({ queryPresentation: { ...config().queryPresentation, presentationType: 'tree' } })
    const { result } = render(tree, '/?page=3')
    await waitFor(() => expect(result.current.list.total).toBe(60))
    act(() => result.current.list.setKeyword('闸室'))
    await waitFor(() => expect(of(LIST)).toHaveLength(2))
    expect(of(LIST)[1]?.body).toMatchObject({ keyword: '闸室', page: 0, ancestors: true })
    expect(of(LIST)[1]?.body).not.toHaveProperty('parentId')
    act(() => result.current.list.clearFilters())
    expect(new URLSearchParams(result.current.search).has('q')).toBe(false)
  })

  it('sends no word to a list that takes none', async () => {
    const { of } = server()
    const { result } = render(config({ searchable: false }), '/?q=x')
    await waitFor(() => expect(result.current.list.total).toBe(60))
    expect(of(LIST)[0]?.body).not.toHaveProperty('keyword')
  })

  it('names the filters that the list has no more, and drops them', async () => {
    const { of } = server()
    const { result } = render(config(), '/?f.gone=x&f.part=A&f.cleared=')
    await waitFor(() => expect(result.current.list.total).toBe(60))
    expect(result.current.list.lost).toEqual(['gone'])
    expect(of(LIST)[0]?.body).toMatchObject({ filters: [{ propertyCode: 'part' }] })
    act(() => result.current.list.dropFilters(['gone']))
    expect(result.current.list.lost).toEqual([])
    expect(new URLSearchParams(result.current.search).get('f.part')).toBe('A')
  })

  it('is in its own order when the address wants one that the list cannot have, and says so', async () => {
    const { of } = server()
    const { result } = render(config(), '/?sort=-gone&f.part=A')
    await waitFor(() => expect(result.current.list.total).toBe(60))
    expect(result.current.list.lostSort).toBe('gone')
    expect(result.current.list.view.sort).toBeNull()
    expect(of(LIST)[0]?.body).not.toHaveProperty('orderByFields')
    act(() => result.current.list.setSort(null))
    expect(result.current.list.lostSort).toBeNull()
    expect(result.current.search).toBe('?f.part=A')
  })

  it('shows the last page when the address names one beyond it', async () => {
    fakeServer({
      '/api/system/config': { name: '', timezone: 'Asia/Shanghai', version: '', dev: false, digest: '' },
      [LIST]: ({ body }: { body: unknown }) => {
        const content = ((body as ListRequest).page ?? 0) < 3 ? [row('a')] : []
        return { content, totalElements: 45, aggregates: {}, next: null, previous: null }
      },
    })
    const { result } = render(config(), '/?page=999&f.part=A')
    await waitFor(() => expect(result.current.list.rows).toHaveLength(1))
    expect(new URLSearchParams(result.current.search).get('page')).toBe('3')
    expect(new URLSearchParams(result.current.search).get('f.part')).toBe('A')
  })

  it('goes to the last page from one that the server refuses, and knows which it was', async () => {
    const pages: unknown[] = []
    fakeServer({
      '/api/system/config': { name: '', timezone: 'Asia/Shanghai', version: '', dev: false, digest: '' },
      [LIST]: ({ body }: { body: unknown }) => {
        const { page = 0 } = body as ListRequest
        pages.push(page)
        if (page > 500_000) refuse(400, 302022, 'out of range')
        return { content: [row('a')], totalElements: 45, aggregates: {}, next: null, previous: null }
      },
    })
    const { result } = render(config(), '/?page=999999')
    await waitFor(() => expect(result.current.search).toBe('?page=3'))
    await waitFor(() => expect(result.current.list.rows).toHaveLength(1))
    expect(result.current.list.beyond).toEqual({ page: 999_999 })
    expect(pages).toEqual([999_998, 0, 2])
  })

  it('goes back a page when all of the last one was deleted', async () => {
    server()
    const { result } = render(config(), '/?page=3')
    await waitFor(() => expect(result.current.list.rows).toHaveLength(2))
    await act(() => result.current.list.afterDelete(2))
    expect(new URLSearchParams(result.current.search).get('page')).toBe('2')
  })

  it('shows the columns that the definition and the person want', async () => {
    server()
    const { result } = render()
    expect(result.current.list.shownColumns.map((column) => column.propertyCode)).toEqual(['part'])
    act(() => result.current.list.store.getState().setColumns({ order: [], hidden: ['part'], shown: ['remark'] }))
    expect(result.current.list.shownColumns.map((column) => column.propertyCode)).toEqual(['remark'])
    await waitFor(() => expect(result.current.list.total).toBe(60))
  })
})
