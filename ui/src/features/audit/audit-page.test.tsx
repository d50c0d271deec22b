import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer, refuse } from '@/testing/fake-server'
import { AuditPage } from './audit-page'
import { KINDS } from './audit-words'

const entry = (id: string, change: object = {}) => ({
  id,
  time: '2026-11-20T08:00:00Z',
  kind: 'signIn.ok',
  actor: { id: 'u1', name: '李四' },
  address: '192.0.2.7',
  subject: null,
  failed: false,
  detail: {},
  ...change,
})

describe('the audit log', () => {
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
      '/api/organization/user/info': { id: 'u0', name: '张三', permissions: ['SYS_MNG'] },
      '/api/system/config': { timezone: 'Asia/Shanghai' },
      '/api/system/audit': { content: [], next: null },
    }
    server = fakeServer(answers)
  })
  afterEach(cleanup)

  it('saves what is shown as CSV, and says why it could not', async () => {
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    answers['/api/system/audit'] = { content: [entry('e1')], next: null }
    const fake = fetch
    const asked: string[] = []
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      if (!url.includes('/audit/export') || asked.push(url) > 1) return fake(url, init)
      return Promise.resolve(new Response('time', { headers: { 'Content-Type': 'text/csv' } }))
    })
    draw('/audit?kind=signIn.ok')
    fireEvent.click(await screen.findByRole('button', { name: '导出 CSV' }))
    await waitFor(() => expect(saved).toHaveBeenCalled())
    expect(asked).toEqual(['/api/system/audit/export?kind=signIn.ok'])
    answers['/api/system/audit/export'] = () => refuse(422, 802001, '审计日志超过 50000 条')
    fireEvent.click(screen.getByRole('button', { name: /导出 CSV/ }))
    expect(await screen.findByText(/审计日志超过/)).toBeTruthy()
    saved.mockRestore()
  })
  const draw = (path = '/audit') =>
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <MemoryRouter initialEntries={[path]}>
            <AuditPage />
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )
  const asked = () => server.of('/api/system/audit')

  it('tells who did what to whom, from where, page by page', async () => {
    answers['/api/system/audit'] = {
      content: [
        entry('3', { kind: 'signIn.failed', actor: null, subject: { id: 'u2', name: '王五' }, failed: true }),
        entry('2', {
          kind: 'rights.roles',
          subject: { id: 'u2', name: 'wang' },
          address: 'command line',
          detail: { added: 'viewer', removed: 'administrator' },
        }),
      ],
      next: '2',
    }
    draw()
    const rows = (await screen.findAllByRole('row')).slice(1)
    const texts = rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .slice(1)
        .map((cell) => cell.textContent)
        .join('|'),
    )
    expect(texts).toEqual([
      '未知|登录失败|王五|192.0.2.7|失败',
      '李四|变更人员角色|wang · 授予 viewer · 收回 administrator|命令行|成功',
    ])
    answers['/api/system/audit'] = { content: [entry('1')], next: null }
    fireEvent.click(screen.getByRole('button', { name: '加载更多' }))
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(4))
    expect(screen.queryByRole('button', { name: '加载更多' })).toBeNull()
    expect(asked()).toHaveLength(2)
  })

  it('shows only what is about a person, and all again', async () => {
    answers['/api/system/audit'] = { content: [entry('1')], next: null }
    const { container } = draw()
    fireEvent.click(await screen.findByRole('button', { name: '李四' }))
    await screen.findByText('与 李四 有关')
    await waitFor(() => expect(asked()).toHaveLength(2))
    fireEvent.click(container.querySelector('.ant-tag-close-icon') as HTMLElement)
    await waitFor(() => expect(screen.queryByText('与 李四 有关')).toBeNull())
  })

  it('says so when nothing matches, and to whom it is closed', async () => {
    draw('/audit?kind=backup.take')
    fireEvent.click(await screen.findByRole('button', { name: '清除条件' }))
    await waitFor(() => expect(asked()).toHaveLength(2))
    cleanup()
    answers['/api/organization/user/info'] = { id: 'u0', name: '张三', permissions: ['APP_MNG'] }
    draw()
    await screen.findByText('只有系统管理员可以查看审计日志')
    expect(asked()).toHaveLength(2)
  })

  it('tells which way to records a publication opened, and to whom', async () => {
    const detail = { way: 'workflow', node: '看', people: 'role 班组长', model: '检验批', fields: '金额' }
    const page = { way: 'page', roles: '访客' }
    answers['/api/system/audit'] = {
      content: [
        entry('2', { kind: 'rights.way', subject: { id: 'agree', name: '审批' }, detail }),
        entry('1', { kind: 'rights.way', subject: { id: 'board', name: '看板' }, detail: page }),
      ],
      next: null,
    }
    draw()
    await screen.findByText('审批 · 节点“看”：role 班组长 可见检验批的金额')
    await screen.findByText('看板 · 公开页面，访客按角色“访客”的权限查看')
  })

  it('has a word for every kind', async () => {
    answers['/api/system/audit'] = {
      content: Object.values(KINDS)
        .flat()
        .map((kind, i) => entry(String(i), { kind })),
      next: null,
    }
    draw()
    const rows = (await screen.findAllByRole('row')).slice(1)
    for (const row of rows) expect(within(row).getAllByRole('cell')[2]?.textContent).toMatch(/\p{Script=Han}/u)
    expect(rows).toHaveLength(45)
  })

  it('tells what ended with a removal, and whose it was', async () => {
    const detail = { kind: 'role', person: '2', who: 'ann, bob', epoch: '3' }
    answers['/api/system/audit'] = {
      content: [entry('1', { kind: 'definitions.remove', subject: { id: 'reader', name: 'reader' }, detail })],
      next: null,
    }
    draw()
    await screen.findByText('reader · 角色 · 2 人失去了它 · ann, bob')
  })
})
