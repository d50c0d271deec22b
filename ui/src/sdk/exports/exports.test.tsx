// What a person sees of exports: the list of their files, the dialog of those under way, and the message on other pages. When it is asked for
// them watch.test.ts shows.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { MESSAGES } from '@/sdk/feedback'
import { type Call, fakeServer, refuse } from '@/testing/fake-server'

vi.mock('@/api/events', () => ({ followEvents: () => () => {} }))
const { TaskList } = await import('./task-list')
const { ProgressDialog } = await import('./progress-dialog')
const { RecordsDialog } = await import('./records-dialog')
const { useTeller } = await import('./use-teller')
const { watch, watchedExports } = await import('./watch')

const TASKS = '/api/runtime/export/tasks'
const PROGRESS = '/api/runtime/export/progress'
const task = (id: string, taskStatus: string, more: object = {}) => ({
  ...{
    id,
    jobId: `job-${id}`,
    refId: `${id}.xlsx`,
    name: `${id}.xlsx`,
    fileSize: 1536,
    schemaCode: 'lot',
    queryCode: 'lots',
  },
  ...{
    schemaName: '检验批',
    createdTime: '2026-11-20T01:00:00Z',
    endTime: '2026-11-20T01:02:03Z',
    status: taskStatus,
    ahead: 0,
  },
  ...{
    exportResultStatus: ['INIT', 'RUN'].includes(taskStatus) ? null : taskStatus,
    done: 0,
    total: 0,
    skipped: 0,
    missing: '',
  },
  ...{ tooWide: [], error: null, taskStatus },
  ...more,
})
const page = (content: object[], totalElements = content.length) => ({ content, totalElements })

function show(inner: ReactNode, answers: Record<string, unknown>) {
  const server = fakeServer({ '/api/system/config': { timezone: 'Asia/Shanghai' }, ...answers })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App message={MESSAGES}>{inner}</App>
    </QueryClientProvider>,
  )
  return { ...server, asked: () => server.of(TASKS).at(-1)?.body }
}
/** What the browser was told to save. */
const saved = vi.fn()

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await setLocale('zh')
})
beforeEach(() => {
  saved.mockClear()
  watchedExports.setState({ exports: [], inside: false })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved(this.getAttribute('href'))
  })
})
afterEach(() => {
  vi.useRealTimers()
  cleanup()
  vi.restoreAllMocks()
  document.body.replaceChildren()
})

describe('the list of exports', () => {
  const cells = (name: string) =>
    within(screen.getByText(name).closest('tr') as HTMLElement)
      .getAllByRole('cell')
      .map((cell) => cell.textContent)

  it('begins with 20 of them, has pages of 10, 20, 50 and 100, and goes to one by its number', async () => {
    const { asked } = show(<TaskList />, { [TASKS]: page([task('a', 'END')], 95) })
    await screen.findByText('a.xlsx')
    expect(asked()).toEqual({ name: '', page: 0, size: 20 })
    expect(screen.getAllByRole('columnheader').map((one) => one.textContent)).toEqual([
      ...['序号', '文件名', '文件大小', '数据模型', '导出时间', '状态', '操作'],
    ])
    expect(cells('a.xlsx').slice(0, -1)).toEqual(['1', 'a.xlsx', '1.50 KB', '检验批', '2026-11-20 09:02:03', '成功'])
    screen.getByText('共 95 条')
    const jump = document.querySelector('.ant-pagination-options-quick-jumper input') as HTMLInputElement
    fireEvent.change(jump, { target: { value: '3' } })
    fireEvent.keyUp(jump, { key: 'Enter', keyCode: 13 })
    await waitFor(() => expect(asked()).toEqual({ name: '', page: 2, size: 20 }))
    await waitFor(() => expect(cells('a.xlsx')[0]).toBe('41'))
    fireEvent.mouseDown(screen.getByRole('combobox'))
    const sizes = () => [...document.querySelectorAll<HTMLElement>('.ant-select-item-option')]
    await waitFor(() =>
      expect(sizes().map((one) => Number.parseInt(one.textContent ?? '', 10))).toEqual([10, 20, 50, 100]),
    )
    fireEvent.click(sizes()[2] as HTMLElement)
    await waitFor(() => expect(asked()).toEqual({ name: '', page: 0, size: 50 }))
  })

  it('has a word for each state and the reason of a failure, and tools for files that are there only', async () => {
    const states = ['INIT', 'RUN', 'END', 'FAIL', 'EXCEPTION', 'CHECK_ERROR']
    const error = { code: 1, message: '没有权限' }
    const content = states.map((one) => task(one, one, /F|X|_/.test(one) ? { error } : { done: 1, total: 4 }))
    show(<TaskList />, { [TASKS]: page(content) })
    await screen.findByText('INIT.xlsx')
    const words = states.map((one) => cells(`${one}.xlsx`)[5])
    expect(words).toEqual(['排队中', '生成中 25%', '成功', '失败没有权限', '失败没有权限', '排队中没有权限'])
    const buttons = screen.getAllByRole('row').flatMap((row) => within(row).queryAllByRole('button'))
    expect(buttons.map((one) => one.getAttribute('aria-label'))).toEqual(['下载“END.xlsx”', '删除“END.xlsx”'])
    expect(document.querySelectorAll('[data-kind="wait"] svg'), 'what was refused before it began').toHaveLength(1)
  })

  it('removes a file after a question, and says so', async () => {
    let content = [task('a', 'END'), task('b', 'END')]
    const { of } = show(<TaskList />, {
      [TASKS]: ({ body, search }: Call) => {
        if (body === undefined) content = content.filter(({ id }) => id !== search.get('id'))
        return page(content)
      },
    })
    fireEvent.click(await screen.findByRole('button', { name: '删除“a.xlsx”' }))
    await screen.findAllByText('删除此导出文件？')
    expect(of(TASKS)).toHaveLength(1)
    fireEvent.click(screen.getByRole('button', { name: /^删\s?除$/ }))
    await screen.findByText('删除成功')
    await waitFor(() => expect(screen.queryByText('a.xlsx')).toBeNull())
    screen.getByText('b.xlsx')
  })

  it('says that there is nothing, or nothing of that name, and shows all on request', async () => {
    const { asked } = show(<RecordsDialog onClose={() => {}} />, { [TASKS]: page([]) })
    await screen.findByText('暂无导出记录')
    fireEvent.change(screen.getByRole('searchbox', { name: '搜索文件名' }), { target: { value: ' 合同 ' } })
    fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Enter', keyCode: 13 })
    await screen.findByText('没有匹配的导出记录')
    expect(asked()).toEqual({ name: '合同', page: 0, size: 20 })
    fireEvent.click(screen.getByRole('button', { name: /^清\s?除$/ }))
    await screen.findByText('暂无导出记录')
  })
})

const later = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))
const said = (kind: string) => document.querySelector(`.ant-message-${kind}`)?.textContent ?? ''

/** A page on which an export was started. */
function Started() {
  const teller = useTeller()
  return (
    <button type="button" onClick={() => watch({ id: 'a', jobId: 'job-a', name: 'a.xlsx' }, teller)}>
      begin
    </button>
  )
}
const begin = () => fireEvent.click(screen.getByRole('button', { name: 'begin' }))

describe('the dialog of exports under way', () => {
  const onRecords = vi.fn()
  const onClose = vi.fn()
  const dialog = (
    <>
      <Started />
      <ProgressDialog onClose={onClose} onRecords={onRecords} />
    </>
  )
  const ring = () => screen.getByRole('progressbar').getAttribute('aria-valuenow')

  it('grows from 30 %, goes on behind other pages, and is done when nothing runs', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let now = task('a', 'RUN')
    const { asked } = show(dialog, { [TASKS]: page([task('z', 'END')]), [PROGRESS]: () => now })
    await screen.findByText('z.xlsx')
    expect(asked(), 'the ten newest').toEqual({ name: '', page: 0, size: 10 })
    screen.getByText('没有正在生成的文件')
    screen.getByRole('button', { name: /^完\s?成$/ })
    begin()
    await waitFor(() => expect(ring()).toBe('30'))
    screen.getByRole('button', { name: '后台运行' })
    await later(1)
    expect(Number(ring())).toBeGreaterThanOrEqual(40)
    now = task('a', 'END')
    await later(2)
    await waitFor(() => expect(ring()).toBe('100'))
    expect(saved).toHaveBeenCalledExactlyOnceWith('/api/runtime/export/file?id=a')
    screen.getByRole('button', { name: /^完\s?成$/ })
    await later(2)
    expect(screen.queryByRole('progressbar')).toBeNull()
    screen.getByRole('button', { name: '下载“z.xlsx”' })
    screen.getByRole('button', { name: '删除“z.xlsx”' })
    expect(said('success'), 'the dialog shows it').toBe('')
    fireEvent.click(screen.getByRole('button', { name: '导出记录' }))
    expect(onRecords).toHaveBeenCalled()
    fireEvent.click(screen.getByRole('button', { name: /^完\s?成$/ }))
    expect(onClose).toHaveBeenCalled()
  })

  it('keeps what failed, says why for three seconds, and tries again on request', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let now = task('a', 'FAIL', { error: { code: 1, message: '文件过大' } })
    const { of } = show(dialog, { [TASKS]: page([]), [PROGRESS]: () => now, '/api/jobs/job-a/retry': {} })
    begin()
    await later(2)
    await waitFor(() => expect(said('error')).toBe('导出文件生成失败: 文件过大'))
    await later(2.5)
    expect(said('error')).not.toBe('')
    await later(1.5)
    expect(said('error')).toBe('')
    screen.getByText('文件过大')
    expect(saved).not.toHaveBeenCalled()
    now = task('a', 'RUN')
    fireEvent.click(screen.getByRole('button', { name: '重试' }))
    await waitFor(() => expect(of('/api/jobs/job-a/retry')).toHaveLength(1))
    await waitFor(() => expect(ring()).toBe('30'))
    expect(screen.queryByText('文件过大')).toBeNull()
    now = task('a', 'END')
    await later(2)
    await waitFor(() => expect(saved).toHaveBeenCalled())
  })
})

describe('an export that ends on another page', () => {
  it.each([
    ['success', {}],
    ['warning', { skipped: 2 }], // what the file lacks is said with it
  ])('is told of for five seconds as %s, with the way to the list of exports', async (kind, more) => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const end = task('a', 'END', more)
    show(<Started />, { [TASKS]: page([end]), [PROGRESS]: end })
    begin()
    await later(2)
    await waitFor(() => expect(said(kind)).toContain('“a.xlsx”已导出'))
    await later(4.5)
    expect(said(kind)).not.toBe('')
    await later(1.5)
    expect(said(kind), 'for no longer').toBe('')
    begin()
    await later(2)
    fireEvent.click(await screen.findByRole('button', { name: '查看导出记录' }))
    const dialog = await screen.findByRole('dialog')
    await within(dialog).findByRole('cell', { name: '成功' })
    within(dialog).getByRole('button', { name: '下载“a.xlsx”' })
  })

  it('that the server no longer has is a failure', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    show(<Started />, { [PROGRESS]: () => refuse(404, 305001, 'gone') })
    begin()
    await later(2)
    await waitFor(() => expect(said('error')).toBe('导出文件生成失败'))
  })
})
