// What a script of a list can do, and what is said where it goes wrong: the list is there all the same. That it finds no network, no page
// and no end is seen in a browser (ui/e2e/scripts.test.mjs).
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, renderHook, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ListConfig } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { MESSAGES } from '@/sdk/feedback'
import { fakeServer } from '@/testing/fake-server'
import { fakeWorker } from '@/testing/fake-worker'
import './actions/built-in'
import { useListActions } from './actions/use-list-actions'
import { useListController } from './use-list-controller'

const LIST = '/api/runtime/query/list'
const column = (propertyCode: string) =>
  ({
    propertyCode,
    propertyType: 0,
    name: propertyCode,
    name_i18n: {},
    width: 176,
    sortable: true,
    visible: true,
  }) as const
const button = (actionCode: string, sortKey: number) => ({
  ...{ actionCode, queryActionType: actionCode, name: actionCode, name_i18n: {}, associationType: 0 },
  ...{ associationCode: null, extend1: null, attributes: {}, row: false, hint: null, hint_i18n: {} },
  ...{ confirm: null, confirm_i18n: {}, sortKey },
})
const config = {
  ...{ schemaCode: 'site', queryCode: 'sites', name: '', name_i18n: {}, modelName: '工点', modelName_i18n: {} },
  ...{ modelNamePlural_i18n: {}, digest: '', searchable: false, narrowed: false, recycle: false, searched: [] },
  orderBy: [],
  queryActions: [button('add', 0), button('delete', 1)],
  queryConditions: [],
  queryColumns: [column('code'), column('name')],
  queryPresentation: {
    ...{ presentationType: 'table', fixedLeftColumns: [], fixedRightColumns: [], queryPanelColumns: 3 },
    script: '/sites.js',
  },
} as unknown as ListConfig

const row = (id: string) => ({
  ...{ id, data: { code: `code ${id}` }, workflowInstanceId: null, sequenceStatus: null, version: 1, leaf: true },
})

/** A list with the script that a file exports. */
function show(exported: unknown) {
  fakeWorker(exported)
  const server = fakeServer({
    '/sites.js': '',
    '/api/system/config': { name: '', timezone: 'UTC', version: '', dev: false, digest: '' },
    [LIST]: { content: [row('a'), row('b')], totalElements: 2, aggregates: {}, next: null, previous: null },
    '/api/runtime/query/delete_check': [{ objectId: 'a', relativeModel: null, resultCode: 1000, resultDesc: '' }],
    '/api/runtime/query/delete': { successCount: 1, errorCount: 0, errors: [], recycled: false },
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <App message={MESSAGES}>
        <MemoryRouter>{children}</MemoryRouter>
      </App>
    </QueryClientProvider>
  )
  const { result } = renderHook(
    () => {
      const list = useListController(config)
      return { list, actions: useListActions(list) }
    },
    { wrapper },
  )
  const press = (name: string) => result.current.actions.find((one) => one.name === name)?.run([row('a')] as never)
  const loaded = () => waitFor(() => expect(result.current.list.rows.length).toBeGreaterThan(0))
  return { server, list: () => result.current.list, press, loaded }
}

const options = { version: '1.1' }
const hook = (name: string, run: unknown) => ({ options, hooks: { [name]: run } })
const error = () => document.querySelector('.ant-message-error')?.textContent
type Page = Record<string, (...args: unknown[]) => Promise<unknown>> & { http: Page }

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await setLocale('zh')
})
afterEach(() => void vi.unstubAllGlobals())

describe('a script that goes wrong says so and harms nothing', () => {
  const throws = (words: string) => () => {
    throw new Error(words)
  }
  const failed = (words: string) => `execution error（页面脚本出错：Error: ${words}）`
  const prefix = 'ListEventHooksHandler Error: '
  it.each<[string, unknown, string]>([
    ['before the call', hook('onPreLoad', throws('one')), failed('one')],
    ['after the call', hook('onLoad', throws('two')), failed('two')],
    ['when it is drawn', hook('onRendered', throws('three')), failed('three')],
    [
      'in place of the call',
      { options, hooks: {}, apis: { getQueryList: { mode: 'replace', request: throws('four') } } },
      failed('four'),
    ],
    [
      'with a mark that there is not',
      hook('onLoad', () => ({ rows: [{ id: 'a', html: '<img src=x>' }] })),
      'execution error（页面脚本返回的内容不符合要求：rows.html）',
    ],
    [
      'with a call about the account',
      hook('onLoad', (_: unknown, page: Page) => page.http.get?.('/api/organization/department/tree')),
      failed(`${prefix}execution error: http: /api/organization/department/tree is not allowed`),
    ],
    [
      'with a save that nobody pressed for',
      hook('onLoad', (_: unknown, page: Page) => page.http.post?.('/api/runtime/form/save', {})),
      failed(`${prefix}execution error: http: /api/runtime/form/save is not allowed`),
    ],
    [
      'with an action that it does not name',
      hook('onRendered', (_: unknown, page: Page) => page.callAction?.()),
      failed(`${prefix}action required`),
    ],
    ['without a version', { hooks: {} }, 'version not found（options.version 须为 1.0 或 1.1）'],
    [
      'with two modes',
      { options, hooks: {}, apis: { getQueryList: { request() {}, mode: 'a,b' } } },
      'mode is not allowed（mode 须为 combine 或 replace：a,b）',
    ],
  ])('%s', async (_, exported, words) => {
    const { list, loaded, server } = show(exported)
    await waitFor(() => expect(error()).toBe(prefix + words))
    await loaded()
    expect(list().rows.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(server.calls.map(({ path }) => path)).not.toContain('/api/runtime/form/save')
    expect(server.calls.map(({ path }) => path)).not.toContain('/api/organization/department/tree')
  })
})

describe('a script of a list', () => {
  it('adds to the list call, or stands in its place', async () => {
    const extra = {
      content: [
        { id: 'x', data: { code: 'known' } },
        { id: 'a', data: { code: 'over' } },
      ],
      totalElements: 1,
    }
    const combined = show({ options, hooks: {}, apis: { getQueryList: () => extra } })
    await waitFor(() => expect(combined.list().rows).toHaveLength(3))
    expect(combined.server.of(LIST)).toHaveLength(1)
    const replaced = show({ options, hooks: {}, apis: { getQueryList: { mode: 'replace', request: () => extra } } })
    await waitFor(() => expect(replaced.list().rows.map(({ id }) => id)).toEqual(['x', 'a']))
    expect(replaced.server.of(LIST)).toEqual([])
    expect(replaced.list().total).toBe(1)
  })

  it('changes the request, hides a column and blocks an action', async () => {
    const filters = [{ propertyCode: 'code', propertyValue: 'X', queryFilterType: 'Equal' }]
    const { server, list, press, loaded } = show({
      options,
      hooks: {
        onPreLoad: () => ({ filters }),
        onRendered: (_: unknown, page: Page) => page.setColumnVisible?.('name', false),
        onPreAction: async ({ action }: { action: string }, page: Page) => {
          await page.message?.(`blocked ${action}`, 'warning')
          return false
        },
      },
    })
    await loaded()
    expect(server.of(LIST)[0]?.body).toMatchObject({ filters })
    await waitFor(() => expect(list().shownColumns.map(({ propertyCode }) => propertyCode)).toEqual(['code']))
    void press('add')
    await waitFor(() => expect(document.querySelector('.ant-message-warning')?.textContent).toBe('blocked add'))
    expect(server.of('/api/runtime/query/add_check')).toEqual([])
  })

  it('hears of the list from its call to its rows, and of an action from its press to its result', async () => {
    const log: string[] = []
    const note = (name: string) => () => void log.push(name)
    const { press, loaded } = show({
      options,
      hooks: {
        ...{ onPreLoad: note('onPreLoad'), onLoad: note('onLoad'), onRendered: note('onRendered') },
        onPreAction: ({ action }: { action: string }) => void log.push(`onPreAction ${action}`),
        onActionDone: ({ action, result }: { action: string; result: { successCount: number } }) =>
          void log.push(`onActionDone ${action} ${result.successCount}`),
      },
    })
    await loaded()
    await waitFor(() => expect(log).toEqual(['onPreLoad', 'onLoad', 'onRendered']))
    void press('delete')
    fireEvent.click(await screen.findByRole('button', { name: /删\s*除/ }))
    await waitFor(() => expect(log.slice(3)).toContain('onActionDone delete 1'))
    expect(log[3]).toBe('onPreAction delete')
  })
})
