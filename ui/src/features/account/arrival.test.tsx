import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { Arrival } from './arrival'
import { noteArrival } from './arrived'

const me = {
  id: 'u',
  name: '张三',
  permissions: [],
  mayChangePassword: true,
  mustChangePassword: false,
  lastLoginTime: '2026-11-20T08:00:00Z',
  lastLoginAddress: '10.0.0.7',
}
let answers: Record<string, unknown>
let server: ReturnType<typeof fakeServer>
beforeAll(async () => {
  await startI18n()
  await Promise.all([loadAllTexts(), loadLaterTexts()])
  await setLocale('zh')
})
beforeEach(() => {
  answers = {
    '/api/organization/user/info': me,
    '/api/system/config': { timezone: 'Asia/Shanghai' },
    '/api/organization/user/check_password': true,
  }
  server = fakeServer(answers)
})
afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const toChange = vi.fn()
const arrive = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <Arrival onChangePassword={toChange} />
      </App>
    </QueryClientProvider>,
  )
const knows = () => waitFor(() => expect(server.of('/api/organization/user/info').length).toBeGreaterThan(0))

it('says once after a sign-in when and from where the last one was', async () => {
  answers['/api/organization/user/check_password'] = false
  noteArrival()
  arrive()
  await screen.findByText('上次登录：2026-11-20 16:00（10.0.0.7）')
  await waitFor(() => expect(server.of('/api/organization/user/check_password')).toHaveLength(1))
  expect(screen.queryByText('安全提示')).toBeNull()
  cleanup()
  server.calls.length = 0
  arrive() // the page is loaded again
  await knows()
  await new Promise((resume) => setTimeout(resume, 50))
  expect(screen.queryByText(/上次登录/)).toBeNull()
  expect(server.of('/api/organization/user/check_password')).toHaveLength(0)
})

it('advises to change a password that somebody else gave, and leads to the change', async () => {
  noteArrival()
  arrive()
  await screen.findByText('您仍在使用他人设置的密码，建议在个人中心修改。')
  fireEvent.click(screen.getByRole('button', { name: '立即修改' }))
  await waitFor(() => expect(toChange).toHaveBeenCalledOnce())
})

it.each([
  ['cannot change it', { mayChangePassword: false }],
  ['has to change it anyway', { mustChangePassword: true }],
])('advises nobody who %s', async (_, change) => {
  answers['/api/organization/user/info'] = { ...me, ...change }
  noteArrival()
  arrive()
  await screen.findByText(/上次登录/)
  expect(server.of('/api/organization/user/check_password')).toHaveLength(0)
})
