import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeItem } from '@/features/workflow/fixtures'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer, refuse } from '@/testing/fake-server'
import { HomePage } from './home-page'

describe('tasks on the start page', () => {
  let answers: Record<string, unknown>
  let server: ReturnType<typeof fakeServer>
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
  })
  beforeEach(async () => {
    await setLocale('zh')
    vi.stubGlobal(
      'EventSource',
      class extends EventTarget {
        close() {}
      },
    )
    answers = {
      '/api/app/apppackage/list': [],
      '/api/app/home': {
        recentApps: [],
        favorites: [],
        pages: [],
        records: [],
        drafts: { content: [], totalElements: 0 },
        unread: { STATION: 0, COMMENT: 0 },
        messages: [],
        steps: [],
      },
      '/api/system/config': { timezone: 'Asia/Shanghai', appCode: null },
      '/api/runtime/workitem/counts': { unfinished: 7, timeout: 2, unread: 1 },
      '/api/runtime/workitem/unfinished': {
        content: [makeItem('a', { overdue: true }), makeItem('b')],
        totalElements: 7,
      },
    }
    server = fakeServer(answers)
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })
  const draw = () =>
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <MemoryRouter>
            <HomePage />
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )
  const address = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href')

  it('are the newest, with how many wait, are overdue and were not read', async () => {
    draw()
    expect((await screen.findByRole('heading', { name: '我的待办（7）' })).textContent).toBeTruthy()
    expect(address('计量 a')).toBe('/form/detail?workItemId=a&workflowInstanceId=i-a')
    expect(screen.getAllByText('已超时')).toHaveLength(1)
    await waitFor(() => expect(address('2 项已超时')).toBe('/workflow-center/my-unfinished-workitem?timeout=1'))
    expect(address('1 份抄送未读')).toBe('/workflow-center/my-unread-workitem')
    expect(server.of('/api/runtime/workitem/unfinished')[0]?.body).toEqual({ page: 0, size: 5, sort: '-receiveTime' })
  })

  it('are those of the application that the server was started for', async () => {
    answers['/api/system/config'] = { timezone: 'Asia/Shanghai', appCode: 'lock' }
    draw()
    await screen.findByRole('link', { name: '计量 a' })
    expect(server.of('/api/runtime/workitem/unfinished').map(({ body }) => body)).toEqual([
      { page: 0, size: 5, sort: '-receiveTime', appCode: 'lock' },
    ])
    expect(address('我的待办（7）')).toBe('/workflow-center/my-unfinished-workitem?appCode=lock')
    await waitFor(() => expect(server.of('/api/runtime/workitem/counts')[0]?.search.get('appCode')).toBe('lock'))
  })

  it('say in both languages that there are none', async () => {
    answers['/api/runtime/workitem/unfinished'] = { content: [], totalElements: 0 }
    draw()
    expect(await screen.findByText('没有待办任务。')).toBeTruthy()
    expect(screen.getByRole('heading', { name: '我的待办' })).toBeTruthy()
    await setLocale('en')
    expect(await screen.findByText('No tasks to handle.')).toBeTruthy()
  })

  it('are read again where more are counted than the list had', async () => {
    const none = { content: [], totalElements: 0 }
    const one = { content: [makeItem('late')], totalElements: 1 }
    answers['/api/runtime/workitem/counts'] = { unfinished: 1, timeout: 0, unread: 0 }
    answers['/api/runtime/workitem/unfinished'] = () =>
      server.of('/api/runtime/workitem/unfinished').length > 1 ? one : none
    draw()
    expect(await screen.findByRole('link', { name: '计量 late' })).toBeTruthy()
    expect(server.of('/api/runtime/workitem/unfinished')).toHaveLength(2)
  })

  it('leave the rest of the page when they fail, and can be asked for again', async () => {
    answers['/api/runtime/workitem/unfinished'] = () => refuse(500, 999999, '未知错误')
    draw()
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(screen.getByRole('heading', { name: '待查看' })).toBeTruthy()
    answers['/api/runtime/workitem/unfinished'] = { content: [makeItem('a')], totalElements: 1 }
    screen.getByRole('button', { name: /重 ?试/ }).click()
    expect(await screen.findByRole('link', { name: '计量 a' })).toBeTruthy()
  })
})
