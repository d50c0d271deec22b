import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@/api/client'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { useErrorText } from '@/sdk/error-text'
import { fakeServer, refuse } from '@/testing/fake-server'
import { ErrorPage } from './error-page'
import { OperationPage } from './operation-page'
import { bytes } from './parts'

const channel = (name: string, change: object = {}) => ({
  name,
  open: true,
  to: 'mail.example.com:587',
  waiting: 0,
  dead: 0,
  oldestTime: null,
  error: '',
  ...change,
})

describe('pages for those who look after the installation', () => {
  let answers: Record<string, unknown>
  let server: ReturnType<typeof fakeServer>
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await loadLaterTexts()
    await setLocale('zh')
  })
  beforeEach(() => {
    answers = {
      '/api/organization/user/info': { id: 'u0', name: '张三', permissions: ['ADMIN'] },
      '/api/system/config': { timezone: 'Asia/Shanghai' },
      '/api/system/nodes': [
        {
          id: 'n1',
          name: 'app/1',
          version: '1.2.3',
          workers: 2,
          startedTime: '2026-11-20T08:00:00Z',
          seenTime: '2026-11-20T09:00:00Z',
          silent: false,
          here: true,
          working: [
            { kind: 'index', name: 'contract_part', done: 5, total: 10, startedTime: '2026-11-20T08:30:00Z' },
            { kind: 'other-kind', name: 'x', done: 7, total: null, startedTime: '2026-11-20T08:31:00Z' },
          ],
          errors: [{ time: '2026-11-20T08:59:00Z', text: 'a job failed', detail: 'error=boom' }],
          filesAway: true,
        },
        {
          id: 'n2',
          name: 'app/2',
          version: '1.2.2',
          workers: 0,
          startedTime: '2026-11-20T08:00:00Z',
          seenTime: '2026-11-20T08:10:00Z',
          silent: true,
          here: false,
          working: [],
          errors: [],
          filesAway: true,
        },
      ],
      '/api/system/queues': [
        { kind: 'export', title: '导出', queued: 3, running: 1, failed: 2, oldestTime: '2026-11-20T08:40:00Z' },
      ],
      '/api/system/channels': {
        channels: [
          channel('mail', { waiting: 4, dead: 1, error: 'no route' }),
          channel('webhook', { open: false, to: '' }),
        ],
        types: [
          { messageType: 101, name: '待办任务', name_i18n: { en: 'Task' }, group: 'task', mail: true, webhook: true },
        ],
      },
      '/api/system/deliveries': {
        content: [
          {
            id: 'd1',
            channel: 'mail',
            messageType: 101,
            recipient: { id: 'u2', name: '李四' },
            state: 'dead',
            attempts: 1,
            createdTime: '2026-11-20T08:00:00Z',
            nextTime: null,
            doneTime: '2026-11-20T08:00:01Z',
            error: '550 not here',
          },
        ],
        totalElements: 1,
      },
      '/api/system/deliveries/d1/retry': {},
      '/api/system/storage': {
        database: 'sqlite',
        bytes: 5 * 1024 * 1024,
        freeBytes: 4096,
        tables: [{ table: 'm_contract', name: '合同', bytes: 2048, rows: null }],
        files: 3,
        fileBytes: 1536,
        kept: [{ pack: 'quality', tables: 19, records: 420 }],
        measuredTime: '2026-11-20T09:00:00Z',
      },
      '/api/system/errors': [
        {
          code: 100001,
          family: 'general',
          key: 'LoginFailed',
          status: 401,
          zh: '账号或密码错误',
          en: 'Incorrect username or password',
          pack: false,
        },
        {
          code: 201001,
          family: 'organization',
          key: 'DepartmentNameEmpty',
          status: 422,
          zh: '部门名称不能为空',
          en: 'Enter a department name',
          pack: false,
        },
        {
          code: 999999,
          family: 'unknown',
          key: 'Internal',
          status: 500,
          zh: '系统错误 {0}',
          en: 'Unexpected error {0}',
          pack: false,
        },
      ],
    }
    server = fakeServer(answers)
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
  })
  const draw = (page: ReactNode, path = '/') =>
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <MemoryRouter initialEntries={[path]}>{page}</MemoryRouter>
        </App>
      </QueryClientProvider>,
    )
  const cells = (table: HTMLElement) =>
    within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map((cell) => cell.textContent)
          .join('|'),
      )

  it('shows nodes, work, errors, queues, channels and sizes', async () => {
    draw(<OperationPage />)
    expect(cells(await screen.findByRole('table', { name: '节点' }))).toEqual([
      'app/1当前节点|文件存储不可用|1.2.3|2|2026-11-20 16:00:00|2026-11-20 17:00:00',
      'app/2|无响应|1.2.2|0|2026-11-20 16:00:00|2026-11-20 16:10:00',
    ])
    expect(cells(screen.getByRole('table', { name: '后台工作' }))).toEqual([
      '创建索引|contract_part|5 / 10|app/1|2026-11-20 16:30:00',
      '其他工作|x|7|app/1|2026-11-20 16:31:00',
    ])
    expect(cells(screen.getByRole('table', { name: '最近错误' }))).toEqual([
      '2026-11-20 16:59:00|a job failederror=boom|app/1',
    ])
    expect(cells(await screen.findByRole('table', { name: '任务队列' }))).toEqual([
      '导出export|3|1|2|2026-11-20 16:40:00',
    ])
    await screen.findByText(/包 quality 未启用：它的 19 个表和 420 条记录保留在数据库中/)
    expect(cells(await screen.findByRole('table', { name: '消息发送' }))).toEqual([
      '邮件|发送失败，将重试|mail.example.com:587|4|1||no route',
      'Webhook|未配置||0|0||',
    ])
    await screen.findByText(/SQLite 数据库 5\.0 MB（其中可复用 4\.0 kB），文件 3 个，共 1\.5 kB/)
  })

  const conflict = {
    ...{ file: 'models/part.json', line: 1, column: 1, code: 'PUB004', severity: 'warning' },
    ...{
      zh: '编码已属于更早发布的 shop/models/part.json，此文件未使用',
      en: 'shop/models/part.json was published earlier',
    },
    repair: { zh: '以其他编码发布', en: 'publish it under another code' },
  }
  const document = (path: string, warnings: object[]) => ({
    ...{ pack: 'lock', path, published: 0, own: true, seen: 's', warnings },
  })

  it('lists documents that are set aside, in the language of the reader and with what can be done', async () => {
    answers['/api/definition/documents'] = [document('models/part.json', [conflict]), document('app.json', [])]
    draw(<OperationPage />)
    expect(cells(await screen.findByRole('table', { name: '有冲突的文档' }))).toEqual([
      'lock/models/part.json|编码已属于更早发布的 shop/models/part.json，此文件未使用以其他编码发布|PUB004',
    ])
  })

  it('has no such part where all documents agree, and asks for none for people who do not publish', async () => {
    answers['/api/definition/documents'] = [document('app.json', [])]
    draw(<OperationPage />)
    await screen.findByText(/SQLite/)
    expect(screen.queryByText('有冲突的文档')).toBeNull()
    expect(server.of('/api/definition/documents')).toHaveLength(1)
    cleanup()
    answers['/api/organization/user/info'] = { id: 'u0', name: '张三', permissions: ['SYS_MNG'] }
    draw(<OperationPage />)
    await screen.findByText(/SQLite/)
    expect(server.of('/api/definition/documents')).toHaveLength(1)
  })

  it('sends a dead letter again and switches a type, and asks again by itself', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    draw(<OperationPage />)
    fireEvent.click(await screen.findByRole('button', { name: '重新发送' }))
    await waitFor(() => expect(server.of('/api/system/deliveries/d1/retry')).toHaveLength(1))
    fireEvent.click(screen.getByRole('switch', { name: '待办任务: 邮件', hidden: true }))
    await waitFor(() =>
      expect(
        server.calls.find((call) => call.body !== undefined && call.path === '/api/system/channels')?.body,
      ).toEqual({
        types: [{ messageType: 101, mail: false, webhook: true }],
      }),
    )
    const asked = server.of('/api/system/nodes').length
    await act(() => vi.advanceTimersByTimeAsync(10_500))
    expect(server.of('/api/system/nodes').length).toBe(asked + 1)
  })

  it('shows its parts from above to below, however late each comes: what can be pressed stays where it is', async () => {
    const come = new Map<string, () => void>()
    const order = ['nodes', 'queues', 'failures', 'channels', 'storage']
    const at = (part: string) => `/api/system/${part === 'failures' ? 'deliveries' : part}`
    for (const part of order) {
      const answer = answers[at(part)]
      expect(answer, at(part)).toBeTruthy()
      answers[at(part)] = () => new Promise((resolve) => come.set(part, () => resolve(answer)))
    }
    draw(<OperationPage />)
    const tables = () => screen.queryAllByRole('table').map((one) => one.getAttribute('aria-label'))
    await waitFor(() => expect(come.size).toBe(5))
    for (const part of order.slice(1).reverse()) await act(async () => come.get(part)?.())
    expect(tables()).toEqual([])
    await act(async () => come.get('nodes')?.())
    await screen.findByRole('table', { name: '最大的表' })
    expect(tables().length).toBeGreaterThan(4)
  })

  it('keeps its other parts when one fails, and is closed to others', async () => {
    answers['/api/system/queues'] = () => refuse(503, 800002, '数据库暂时无法连接')
    draw(<OperationPage />)
    await screen.findByText('数据库暂时无法连接')
    await screen.findByRole('table', { name: '节点' })
    cleanup()
    answers['/api/organization/user/info'] = { id: 'u0', name: '张三', permissions: ['APP_MNG'] }
    draw(<OperationPage />)
    await screen.findByText('只有系统管理员可以查看运行状况')
  })

  it('finds codes by the beginning of their number, by words in both languages and by family', async () => {
    draw(<ErrorPage />)
    await screen.findByText('3 个错误码')
    const box = screen.getByRole('searchbox', { name: '错误码或文字' })
    const typed = async (text: string, want: string) => {
      fireEvent.change(box, { target: { value: text } })
      await screen.findByText(want)
      return cells(screen.getByRole('table'))
    }
    expect(await typed('201', '1 个错误码')).toEqual([
      '201001|组织|部门名称不能为空Enter a department name|422|按提示修改数据；规则由应用定义，可由应用管理员调整。',
    ])
    expect(await typed('PASSWORD incorrect', '1 个错误码')).toHaveLength(1)
    expect(await typed('密码', '1 个错误码')).toHaveLength(1)
    fireEvent.change(box, { target: { value: '123456' } })
    await screen.findByText('未定义的错误码 123456')
  })

  it('says what a code means in the language of the reader first', async () => {
    await setLocale('en')
    try {
      draw(<ErrorPage />)
      await screen.findByText('3 codes')
      expect(cells(screen.getByRole('table'))[1]).toContain('|Enter a department name部门名称不能为空|')
    } finally {
      await setLocale('zh')
    }
  })

  it('says of codes without words that they are not known', () => {
    const texts: string[] = []
    function Says() {
      const errorText = useErrorText()
      for (const code of [123456, 999999]) texts.push(errorText(new ApiError('', { code, status: 500 })))
      texts.push(errorText(new ApiError('有文字', { code: 123456, status: 500 })))
      return null
    }
    draw(<Says />)
    expect(texts.slice(0, 3)).toEqual(['未定义的错误码 123456', '未知错误', '有文字'])
  })

  it('writes sizes in a unit that people read', () => {
    expect([0, 1023, 1024, 10_240, 150 * 1024, 5 * 1024 ** 3].map(bytes)).toEqual([
      '0 B',
      '1023 B',
      '1.0 kB',
      '10.0 kB',
      '150 kB',
      '5.0 GB',
    ])
  })
})
