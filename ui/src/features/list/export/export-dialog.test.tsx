import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import type { ActionContext } from '@/sdk/action'
import { fakeServer } from '@/testing/fake-server'
import type { ListController } from '../use-list-controller'

vi.mock('@/api/events', () => ({ followEvents: () => () => {} }))
const { ExportDialog } = await import('./export-dialog')
const { watchedExports } = await import('@/sdk/exports/watch')

const START = '/api/runtime/export/start'
const field = (propertyCode: string, name: string, more: object = {}) => ({
  ...{ propertyCode, propertyType: 0, name, name_i18n: {}, displayFormat: null, defaultProperty: false },
  ...{ listed: 0, usual: true, links: false, childColumns: [] },
  ...more,
})
const fields = [
  field('amount', '金额', { listed: 2 }),
  field('number', '编号', { listed: 1 }),
  field('creator', '创建人'),
  field('rows', '付款', { propertyType: 8, childColumns: [field('day', '日期'), field('sum', '数额')] }),
]
const filters = [{ propertyCode: 'number', propertyValue: 'A' }]

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await setLocale('zh')
})
beforeEach(() => watchedExports.setState({ exports: [], inside: false }))
afterEach(cleanup)

function show(columns: object[] | null, ids = ['r1', 'r2']) {
  const history = columns ? [{ id: 'h1', queryCondition: JSON.stringify({ columns }) }] : []
  const server = fakeServer({
    '/api/system/config': { timezone: 'UTC' },
    '/api/runtime/export/fields': fields,
    '/api/runtime/export/history': history,
    '/api/runtime/export/tasks': { content: [], totalElements: 0 },
    [START]: { id: 'e1', jobId: 'j1', name: '合同导出.xlsx' },
  })
  const list = { request: { filters }, total: 7, nested: false }
  const context = { schemaCode: 'lot', queryCode: 'lots', list, ids, all: false }
  const onClose = vi.fn()
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <ExportDialog context={context as unknown as ActionContext<ListController>} onClose={onClose} />
      </App>
    </QueryClientProvider>,
  )
  return { ...server, onClose }
}
const side = (name: string) => within(screen.getByRole('region', { name }))
const chosen = () =>
  side('已选字段')
    .getAllByRole('listitem')
    .map((one) => one.textContent)
/** What a search marks is apart in the name that this DOM computes. */
const box = (name: string) =>
  side('可选字段').getByRole<HTMLInputElement>('checkbox', { name: (of) => of.replaceAll(' ', '') === name })
const choose = async (source: string) => {
  fireEvent.mouseDown(screen.getByRole('combobox', { name: '字段来源' }))
  fireEvent.click(await screen.findByTitle(source))
}

describe('the dialog of an export', () => {
  it('begins with the fields of the list, has all on request, and no last time where there was none', async () => {
    show(null)
    await screen.findByText('已选 2 个字段')
    expect(chosen()).toEqual(['编号', '金额'])
    await choose('全部数据项')
    await screen.findByText('已选 5 个字段')
    expect(chosen()).toEqual(['金额', '编号', '创建人', '付款：日期、数额'])
    expect(screen.queryByTitle('上次导出数据项')).toBeNull()
  })

  it('begins with those of the last time, and has those of the list on request', async () => {
    show([{ propertyCode: 'creator' }])
    await screen.findByText('已选 1 个字段')
    expect(chosen()).toEqual(['创建人'])
    await choose('当前列表数据项')
    await waitFor(() => expect(chosen()).toEqual(['编号', '金额']))
  })

  it('takes all of a sub-table with one box, and a column brings the others’ box to its middle', async () => {
    show(null)
    await screen.findByText('已选 2 个字段')
    fireEvent.click(box('全选“付款”'))
    expect(chosen()).toEqual(['编号', '金额', '付款：日期、数额'])
    fireEvent.click(box('日期'))
    expect(chosen().at(-1)).toBe('付款：数额')
    expect(box('全选“付款”').checked).toBe(false)
    expect(box('全选“付款”').closest('.ant-checkbox')?.className).toContain('indeterminate')
    fireEvent.click(box('数额'))
    expect(chosen()).toEqual(['编号', '金额'])
    fireEvent.click(box('主表字段'))
    expect(['金额', '编号', '创建人'].map((name) => box(name).checked)).toEqual([true, true, true])
  })

  it('finds fields on both sides, takes one off with its cross, and exports what is left of the ticked records', async () => {
    const { of } = show(null)
    await screen.findByText('已选 2 个字段')
    fireEvent.change(side('可选字段').getByRole('textbox', { name: '搜索字段' }), { target: { value: '创建' } })
    await waitFor(() => expect(side('可选字段').queryByRole('checkbox', { name: '金额' })).toBeNull())
    fireEvent.click(box('创建人'))
    fireEvent.change(side('已选字段').getByRole('textbox', { name: '搜索已选字段' }), { target: { value: '金额' } })
    await waitFor(() => expect(chosen()).toEqual(['金额']))
    fireEvent.click(side('已选字段').getByRole('button', { name: '移除“金额”' }))
    fireEvent.change(side('已选字段').getByRole('textbox', { name: '搜索已选字段' }), { target: { value: '' } })
    await waitFor(() => expect(chosen()).toEqual(['编号', '创建人']))
    fireEvent.click(screen.getByRole('button', { name: /^导\s?出$/ }))
    await waitFor(() => expect(of(START)).toHaveLength(1))
    expect(of(START)[0]?.body).toMatchObject({
      ...{ schemaCode: 'lot', queryCode: 'lots', allObjectId: false, objectIds: ['r1', 'r2'], languageType: 'zh' },
      ...{ fileType: 'xlsx', columns: [{ propertyCode: 'number' }, { propertyCode: 'creator' }] },
    })
    await screen.findByText('合同导出.xlsx')
    screen.getByText('导出进度')
  })

  it('exports what the list finds where nothing is ticked, and nothing without a field', async () => {
    const { of } = show(null, [])
    await screen.findByText('已选 2 个字段')
    fireEvent.click(side('已选字段').getByRole('button', { name: /^清\s?除$/ }))
    screen.getByText('请至少选择一个字段')
    const start = screen.getByRole<HTMLButtonElement>('button', { name: /^导\s?出$/ })
    expect(start.disabled).toBe(true)
    fireEvent.click(box('编号'))
    fireEvent.click(start)
    await waitFor(() => expect(of(START)[0]?.body).toMatchObject({ allObjectId: true, filters }))
  })

  it('leads to the list of exports, and closes', async () => {
    const { onClose } = show(null)
    await screen.findByText('已选 2 个字段')
    fireEvent.click(screen.getByRole('button', { name: /^取\s?消$/ }))
    expect(onClose).toHaveBeenCalled()
    fireEvent.click(screen.getByRole('button', { name: '导出记录' }))
    await screen.findByText('暂无导出记录')
    expect(screen.queryByRole('region', { name: '可选字段' })).toBeNull()
  })
})
