import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { JobNotes } from './job-notes'
import { TaskPage } from './task-page'
import { splitTime, tookMs } from './task-words'

type Handlers = Record<string, (event: MessageEvent<string>) => void>
const followed: Handlers[] = []
vi.mock('@/api/events', () => ({
  followEvents: (handlers: Handlers) => {
    followed.push(handlers)
    return () => followed.splice(followed.indexOf(handlers), 1)
  },
}))
const hear = (data: object) =>
  act(async () => {
    for (const { job } of [...followed]) job?.(new MessageEvent('job', { data: JSON.stringify(data) }))
  })

const own = (id: string, change: object = {}) => ({
  id,
  kind: 'batch_update',
  title: `任务 ${id}`,
  subject: 'lot',
  state: 'running',
  done: 30,
  total: 120,
  cancelling: false,
  error: null,
  result: null,
  createdTime: '2026-11-20T08:00:00Z',
  startedTime: '2026-11-20T08:00:01Z',
  finishedTime: null,
  ...change,
})
const system = (id: string, change: object = {}) => ({
  ...own(id),
  owner: { id: 'u1', name: '李四' },
  node: 'host-a/12',
  attempt: 2,
  attempts: 3,
  stalls: 0,
  runTime: '2026-11-20T08:00:00Z',
  counts: null,
  failures: [],
  ...change,
})
const page = (...content: object[]) => ({ content, totalElements: content.length })

it('counts how long a task takes', () => {
  const task = { startedTime: '2026-11-20T08:00:00Z', finishedTime: '2026-11-20T09:02:03Z' }
  expect(splitTime(tookMs(task, 0) ?? 0)).toEqual({ unit: 'hours', h: 1, m: 2, s: 3 })
  expect(tookMs({ startedTime: null, finishedTime: null }, 5)).toBeNull()
  expect(tookMs({ ...task, finishedTime: null }, 0), 'a clock that is behind the server').toBe(0)
  expect(splitTime(999).unit).toBe('moment')
})

describe('the page of tasks', () => {
  let answers: Record<string, unknown>
  let server: ReturnType<typeof fakeServer>
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await setLocale('zh')
  })
  beforeEach(() => {
    answers = {
      '/api/organization/user/info': { id: 'u0', name: '张三', permissions: ['SYS_MNG'] },
      '/api/system/config': { zone: 'Asia/Shanghai' },
      '/api/jobs': page(),
      '/api/system/jobs/choices': { kinds: ['batch_update', 'pack:nightly'], owners: [{ id: 'system', name: '' }] },
    }
    server = fakeServer(answers)
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
  })
  const draw = (path: string) =>
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <MemoryRouter initialEntries={[path]}>
            <JobNotes />
            <Routes>
              <Route path="/tasks" element={<TaskPage />} />
              <Route path="/tasks/all" element={<TaskPage all />} />
            </Routes>
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )

  it('shows how the own ones get on, by events', async () => {
    answers['/api/jobs'] = () => page(own('a'))
    draw('/tasks')
    const row = (await screen.findByRole('button', { name: '任务 a' })).closest('tr') as HTMLElement
    expect(within(row).getByText('30 / 120')).toBeTruthy()
    await hear({ id: 'a', kind: 'batch_update', state: 'running', done: 60, total: 120 })
    await within(row).findByText('60 / 120')
    expect(server.of('/api/jobs'), 'what runs is not asked for').toHaveLength(1)
    answers['/api/jobs'] = () =>
      page(own('b', { state: 'queued', ahead: 3, done: 0 }), own('a', { state: 'done', done: 120 }))
    await hear({ id: 'a', kind: 'batch_update', state: 'done', done: 120, total: 120 })
    await within(row).findByText('已完成')
    const waits = (await screen.findByRole('button', { name: '任务 b' })).closest('tr') as HTMLElement
    expect(within(waits).getByText('前面还有 3 个任务')).toBeTruthy()
    await hear({ id: 'b', kind: 'batch_update', state: 'queued', ahead: 1, done: 0, total: 120 })
    await within(waits).findByText('前面还有 1 个任务')
    await hear({ id: 'b', kind: 'batch_update', state: 'running', ahead: 0, done: 0, total: 120 })
    await within(waits).findByText('0 / 120')
    expect(within(row).queryByRole('button', { name: /停止|重试/ })).toBeNull()
  })

  it('stops and repeats the own ones at once', async () => {
    answers['/api/jobs'] = page(
      own('a'),
      own('b', { state: 'failed', error: { code: 302004, message: '桩号不能为空' } }),
    )
    answers['/api/jobs/a/cancel'] = null
    answers['/api/jobs/b/retry'] = null
    draw('/tasks')
    fireEvent.click(await screen.findByRole('button', { name: '停止“任务 a”' }))
    await waitFor(() => expect(server.of('/api/jobs/a/cancel')).toHaveLength(1))
    expect(screen.getByText('桩号不能为空')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '重试“任务 b”' }))
    await waitFor(() => expect(server.of('/api/jobs/b/retry')).toHaveLength(1))
  })

  it('says what tasks are while there are none', async () => {
    draw('/tasks')
    await screen.findByText('暂无任务')
    expect(screen.getByRole('heading', { name: '我的任务' })).toBeTruthy()
  })

  it('shows the failed records of an own one', async () => {
    answers['/api/jobs'] = page(own('a', { state: 'done', done: 2, total: 2 }))
    answers['/api/jobs/a'] = own('a', { state: 'done', result: { successCount: 1, failCount: 1, note: 'x' } })
    answers['/api/jobs/a/results'] = page({
      sequence: 2,
      recordId: 'r',
      name: '一号闸',
      ok: false,
      code: 302004,
      message: '桩号不能为空',
    })
    draw('/tasks')
    fireEvent.click(await screen.findByRole('button', { name: '任务 a' }))
    const dialog = await screen.findByRole('dialog')
    await within(dialog).findByText('桩号不能为空')
    expect(within(dialog).getByText('成功 1 · 失败 1')).toBeTruthy()
  })

  it("asks before it stops somebody else's", async () => {
    answers['/api/system/jobs'] = page(system('a'))
    answers['/api/system/jobs/a/cancel'] = null
    draw('/tasks/all')
    fireEvent.click(await screen.findByRole('button', { name: '停止“任务 a”' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('李四')
    expect(server.of('/api/system/jobs/a/cancel')).toHaveLength(0)
    fireEvent.click(within(dialog).getByRole('button', { name: /^停\s?止$/ }))
    await waitFor(() => expect(server.of('/api/system/jobs/a/cancel')).toHaveLength(1))
  })

  it("shows everybody's with node and attempts, and asks every 2 seconds while one runs", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    answers['/api/system/jobs'] = () => page(system('a'))
    draw('/tasks/all?state=running')
    const row = (await screen.findByRole('button', { name: '任务 a' })).closest('tr') as HTMLElement
    expect(
      within(row)
        .getAllByRole('cell')
        .slice(2, 7)
        .map((cell) => cell.textContent)
        .join('|'),
    ).toMatch(/^李四\|30 \/ 120\|.*\|host-a\/12\|2 \/ 3$/)
    expect(server.of('/api/system/jobs')[0]?.search.get('state')).toBe('running')
    answers['/api/system/jobs'] = () => page(system('a', { state: 'done', done: 120 }))
    await act(() => vi.advanceTimersByTimeAsync(2_100))
    await within(row).findByText('已完成')
    const asked = server.of('/api/system/jobs').length
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(server.of('/api/system/jobs')).toHaveLength(asked)
  })

  it('tells those who may not see everybody', async () => {
    answers['/api/organization/user/info'] = { id: 'u0', name: '张三', permissions: [] }
    draw('/tasks/all')
    await screen.findByText('您没有查看全部任务的权限')
    expect(server.of('/api/system/jobs')).toHaveLength(0)
  })

  it('elsewhere tells the end of what was under way, once', async () => {
    answers['/api/jobs/a'] = own('a', { state: 'done' })
    render(
      <QueryClientProvider client={new QueryClient()}>
        <App>
          <MemoryRouter initialEntries={['/']}>
            <JobNotes />
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )
    await hear({ id: 'z', kind: 'import', state: 'done', done: 1, total: 1 })
    await hear({ id: 'a', kind: 'import', state: 'running', done: 1, total: 2 })
    await hear({ id: 'a', kind: 'import', state: 'done', done: 2, total: 2 })
    await screen.findByText('“任务 a”已完成')
    await hear({ id: 'a', kind: 'import', state: 'done', done: 2, total: 2 })
    expect(server.of('/api/jobs/a')).toHaveLength(1)
    expect(server.of('/api/jobs/z'), 'it had ended before').toHaveLength(0)
  })
})
