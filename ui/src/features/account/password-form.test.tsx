import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { PasswordForm } from './components/password-form'

let server: ReturnType<typeof fakeServer>
beforeAll(async () => {
  await startI18n()
  await setLocale('zh')
})
beforeEach(() => {
  server = fakeServer({ '/api/organization/user/info': { id: 'u', name: '张三', permissions: [] } })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <PasswordForm onDone={() => {}} />
      </App>
    </QueryClientProvider>,
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const type = (label: string, value: string) => {
  const box = screen.getByLabelText(label)
  fireEvent.change(box, { target: { value } })
  fireEvent.blur(box)
}
const submit = () => fireEvent.click(screen.getByRole('button', { name: '修改密码' }))
const sent = () => server.calls.filter(({ path }) => !path.endsWith('/user/info'))

it('asks for each password that is missing', async () => {
  submit()
  for (const words of ['请输入密码', '请输入新密码', '请再次输入新密码']) await screen.findByText(words)
  expect(sent()).toEqual([])
})

it.each(['Lock 2026', 'Lock2026闸'])('says that %s has what a password may not have', async (typed) => {
  type('新密码', typed)
  await screen.findByText('密码中不能包含汉字和空格')
})

it('says while it is typed that the confirmation differs, and sends nothing', async () => {
  type('当前密码', 'Journey-Pass-2026')
  type('新密码', 'Lock-Gate-2026')
  fireEvent.change(screen.getByLabelText('确认新密码'), { target: { value: 'Lock' } })
  await screen.findByText('两次输入的密码不一致')
  submit()
  fireEvent.change(screen.getByLabelText('确认新密码'), { target: { value: 'Lock-Gate-2026' } })
  await waitFor(() => expect(screen.queryByText('两次输入的密码不一致')).toBeNull())
  expect(sent()).toEqual([])
})

it('refuses the password that is used already', async () => {
  type('当前密码', 'Lock-Gate-2026')
  type('新密码', 'Lock-Gate-2026')
  await screen.findByText('新密码不能与当前密码相同')
})
