import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import type { ReactNode } from 'react'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ListConfig, Row } from '@/api/types'
import { fakeServer, refuse } from '@/testing/fake-server'
import './built-in'
import { useListController } from '../use-list-controller'
import { countChecks } from './use-delete'
import { useListActions } from './use-list-actions'

const ADD = '/api/runtime/query/add_check'

const config: ListConfig = {
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
  queryActions: ['add', 'edit', 'batch_update', 'change_owner', 'copy', 'delete', 'seal'].map(
    (actionCode, sortKey) => ({
      actionCode,
      queryActionType: actionCode,
      name: actionCode,
      name_i18n: {},
      associationType: 0,
      associationCode: null,
      extend1: null,
      attributes: {},
      row: false,
      hint: null,
      hint_i18n: {},
      confirm: null,
      confirm_i18n: {},
      sortKey,
    }),
  ),
  queryConditions: [],
  queryColumns: [],
  queryPresentation: {
    presentationType: 'table',
    fixedLeftColumns: [],
    fixedRightColumns: [],
    queryPanelColumns: 3,
    fixedHeader: true,
    rowOrdinal: true,
    columnResizable: true,
    scrollbarAutoHidding: false,
  },
}

config.queryActions.reverse() // they stand by their sortKey

const row = (id: string, more: Partial<Row> = {}): Row =>
  ({ id, data: {}, workflowInstanceId: null, sequenceStatus: null, version: 1, leaf: true, ...more }) as Row

function render(answers: Record<string, unknown> = {}, given = config) {
  fakeServer({
    '/api/system/config': { name: '', timezone: 'UTC', version: '', dev: false, digest: '' },
    '/api/runtime/query/list': { content: [], totalElements: 12345, aggregates: {}, next: null, previous: null },
    ...answers,
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <App>
        <MemoryRouter initialEntries={['/list?sort=-part']}>{children}</MemoryRouter>
      </App>
    </QueryClientProvider>
  )
  const { result } = renderHook(
    () => {
      const controller = useListController(given)
      return { controller, actions: useListActions(controller), at: useLocation() }
    },
    { wrapper },
  )
  const action = (name: string) => {
    const found = result.current.actions.find((one) => one.name === name)
    if (!found) throw new Error(`no action ${name}`)
    return found
  }
  return { result, action }
}

afterEach(() => void vi.useRealTimers())

describe('actions of a list', () => {
  it('are those that the definition offers; one that no pack draws is named and rests', () => {
    const { result } = render()
    expect(result.current.actions.map((action) => action.name)).toEqual([
      'add',
      'edit',
      'batch_update',
      'change_owner',
      'copy',
      'delete',
      'seal',
    ])
    const seal = result.current.actions.at(-1)
    expect(seal?.label).toBe('action seal?')
    expect(seal?.enabled([row('a')])).toBe(false)
  })

  it('rest until a row is ticked, but for adding', () => {
    const { result } = render()
    for (const { name, enabled } of result.current.actions.filter(({ name }) => name !== 'seal')) {
      expect(enabled([]), name).toBe(name === 'add')
      expect(enabled([row('a')]), name).toBe(true)
    }
  })

  it('export, history, labels and printing rest until a row is ticked', () => {
    const names = ['export', 'form_track', 'qr_code', 'print']
    const buttons = names.map((name) => ({ ...config.queryActions[0], actionCode: name, queryActionType: name }))
    const { action } = render({}, { ...config, queryActions: buttons as ListConfig['queryActions'] })
    for (const name of names) {
      expect(action(name).place, name).toBe('selection')
      expect(action(name).enabled([]), name).toBe(false)
      expect(action(name).enabled([row('a')]), name).toBe(true)
    }
    const free = names.filter((name) => action(name).unticked)
    expect(free, 'the tool for everything that is found').toEqual(['export'])
  })

  it('import rests, and says why, where its button starts a workflow', () => {
    const button = {
      ...config.queryActions[0],
      actionCode: 'import',
      queryActionType: 'import',
    } as (typeof config.queryActions)[0]
    const given = (associationType: number) => ({ ...config, queryActions: [{ ...button, associationType }] })
    const flow = render({}, given(1)).action('import')
    expect(flow.enabled([])).toBe(false)
    expect(flow.hint).toBe('list.notWithWorkflow')
    const plain = render({}, given(0)).action('import')
    expect(plain.enabled([])).toBe(true)
    expect(plain.hint).toBeNull()
  })

  it('adding opens the start of a workflow where its button is bound to one', async () => {
    const url = '/form/detail?startWorkflowCode=approval'
    const queryActions = config.queryActions.map((one) => ({ ...one, associationType: 1 }))
    const answer = { associationType: 1, url, schemaCode: null, relation: null, data: null }
    const { result, action } = render({ '/api/runtime/query/run_action': answer }, { ...config, queryActions })
    await act(async () => void (await action('add').run([])))
    await waitFor(() => expect(result.current.at.pathname + result.current.at.search).toBe(url))
  })

  it('batch update rests when nothing, or only rows of workflows, can be changed', () => {
    const { action } = render()
    const flow = row('f', { workflowInstanceId: 'i' })
    const { enabled } = action('batch_update')
    expect(enabled([])).toBe(false)
    expect(enabled([flow])).toBe(false)
    expect(enabled([row('a', { actions: ['edit'] })])).toBe(false)
    expect(enabled([flow, row('a')])).toBe(true)
  })

  it('batch update drops rows of workflows, with a warning', async () => {
    const { result, action } = render()
    await waitFor(() => expect(result.current.controller.total).toBe(12345))
    await act(async () => void (await action('batch_update').run([row('a'), row('f', { workflowInstanceId: 'i' })])))
    expect(result.current.controller.store.getState().dialog?.context).toMatchObject({ ids: ['a'], all: false })
    expect(await screen.findByText('bulk.workflow')).toBeTruthy()
  })

  it('batch update drops rows that do not take it, as who may not see workflows gets them, and says how many', async () => {
    const { result, action } = render()
    await waitFor(() => expect(result.current.controller.total).toBe(12345))
    const sealed = row('s', { actions: ['edit'], open: [] })
    expect(action('batch_update').enabled([sealed])).toBe(false)
    await act(async () => void (await action('batch_update').run([row('a', { actions: ['batch_update'] }), sealed])))
    expect(result.current.controller.store.getState().dialog?.context).toMatchObject({ ids: ['a'], all: false })
    expect(await screen.findByText(/^bulk.refusedCount/)).toBeTruthy()
  })

  it('a change of everything names no rows and counts what matches', async () => {
    const { result, action } = render()
    await waitFor(() => expect(result.current.controller.total).toBe(12345))
    act(() => {
      result.current.controller.store.getState().select([row('a')])
      result.current.controller.store.getState().selectAll()
    })
    await act(async () => void (await action('change_owner').run([row('a')])))
    const context = result.current.controller.store.getState().dialog?.context
    expect(context).toMatchObject({ all: true, list: { total: 12345 } })
  })

  it.each([700020, 401033])(
    'adding that is refused with %d says why for four seconds and opens nothing',
    async (code) => {
      vi.useFakeTimers({ shouldAdvanceTime: true })
      const { result, action } = render({ [ADD]: () => refuse(403, code, `because ${code}`) })
      await act(async () => void (await action('add').run([])))
      const message = await screen.findByText(`because ${code}`)
      expect(message.closest('.ant-message-warning')).toBeTruthy()
      expect(result.current.at.pathname).toBe('/list')
      await act(() => vi.advanceTimersByTimeAsync(3_300))
      expect(screen.queryByText(`because ${code}`)).toBeTruthy()
      await act(() => vi.advanceTimersByTimeAsync(2_000))
      expect(screen.queryByText(`because ${code}`)).toBeNull()
    },
  )
})

const FORM_URL = '/api/runtime/form/get_form_url'

describe('opening a form', () => {
  it('edits at the address that the server gives, with the way back', async () => {
    const told = '/form/detail?key=a&schemaCode=lot&sheetCode=lotForm'
    const { result, action } = render({ [FORM_URL]: told })
    await act(async () => void (await action('edit').run([row('a')])))
    const { pathname, search, state } = result.current.at
    expect(pathname).toBe('/form/detail')
    expect(Object.fromEntries(new URLSearchParams(search))).toEqual({
      key: 'a',
      schemaCode: 'lot',
      sheetCode: 'lotForm',
      queryCode: 'lots',
      edit: '1',
      iframeAction: 'detail',
      return: '/list?sort=-part',
    })
    expect(state.background.pathname).toBe('/list')
  })

  it('says why the server gives none, and stays', async () => {
    const { result, action } = render({ [FORM_URL]: () => refuse(404, 302000, 'the record is gone') })
    await act(async () => void (await action('edit').run([row('a')])))
    expect((await screen.findByText('the record is gone')).closest('.ant-message-error')).toBeTruthy()
    expect(result.current.at.pathname).toBe('/list')
  })

  it('adds over the list, or in a new window where the definition wants one', async () => {
    const tab = { opener: window, location: { replace: vi.fn() } }
    const opened = vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window)
    const over = render({ [ADD]: {} })
    await act(async () => void (await over.action('add').run([])))
    expect(over.result.current.at.pathname).toBe('/form/detail')
    expect(opened).not.toHaveBeenCalled()
    const queryActions = config.queryActions.map((one) => ({ ...one, attributes: { target: 'tab' } }))
    const beside = render({ [ADD]: {} }, { ...config, queryActions })
    await act(async () => void (await beside.action('add').run([])))
    const path = new URL('/form/detail?schemaCode=lot&queryCode=lots', window.location.origin)
    expect(tab.location.replace).toHaveBeenCalledWith(path)
    expect(tab.opener).toBeNull()
    expect(beside.result.current.at.pathname).toBe('/list')
    opened.mockReturnValue(null) // a browser that opens no windows
    const instead = render({ [ADD]: {} }, { ...config, queryActions })
    await act(async () => void (await instead.action('add').run([])))
    expect(instead.result.current.at.pathname).toBe('/form/detail')
    opened.mockRestore()
  })

  it('says that adding is refused for four seconds', async () => {
    vi.useFakeTimers()
    const { action } = render({ [ADD]: () => refuse(403, 700020, 'not you') })
    await act(async () => void (await action('add').run([])))
    await act(() => vi.advanceTimersByTimeAsync(100))
    expect(screen.queryByText('not you')).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(3700))
    expect(screen.queryByText('not you')).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(1200))
    expect(screen.queryByText('not you')).toBeNull()
    vi.useRealTimers()
  })
})

describe('countChecks', () => {
  it('sorts by category; what it does not know cannot be deleted', () => {
    expect([...countChecks([1000, 1000, 1001, 1002, 1003, 1004, 1005])]).toEqual([
      ['business', 2],
      ['process', 1],
      ['parent', 1],
      ['child', 1],
      ['refused', 2],
    ])
  })
})
