import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { SignIns } from './sign-ins'

const token = {
  id: 't1',
  script: true,
  readOnly: false,
  apps: [
    { appCode: 'lock', write: true },
    { appCode: 'org', write: false },
    { appCode: 'gone', write: true },
  ],
  label: '日报',
  address: null,
  device: null,
  createdTime: '2026-11-20T08:00:00Z',
  seenTime: null,
  expiresTime: '2026-12-20T08:00:00Z',
  current: false,
}
const app = (code: string, name: string) => ({ code, name, name_i18n: {}, group: null, group_i18n: {}, logoUrl: null })

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('zh')
})
let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  server = fakeServer({
    '/api/system/config': { timezone: 'Asia/Shanghai' },
    '/api/organization/user/sessions': { content: [token] },
    '/api/organization/user/tokens': { token: 'secret' },
    '/api/app/apppackage/list': [app('lock', '船闸工程'), app('org', '组织')],
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App>
        <SignIns />
      </App>
    </QueryClientProvider>,
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('shows the applications that a token reaches', async () => {
  expect(await screen.findByText('船闸工程')).toBeTruthy()
  expect(screen.getByText('组织（只读）')).toBeTruthy()
  expect(screen.getByText('gone')).toBeTruthy()
})

it('makes a token for chosen applications, and none that reaches nothing', async () => {
  fireEvent.click(await screen.findByRole('button', { name: '新建令牌' }))
  fireEvent.change(screen.getByLabelText(/用途/), { target: { value: '周报' } })
  expect(screen.getByLabelText('只能读取数据')).toBeTruthy()
  fireEvent.click(screen.getByRole('radio', { name: '指定应用' }))
  expect(screen.queryByLabelText('只能读取数据')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: /^创\s*建$/ }))
  expect((await screen.findByRole('alert')).textContent).toBe('请至少选择一个应用')
  expect(server.of('/api/organization/user/tokens')).toHaveLength(0)
  fireEvent.mouseDown(screen.getByRole('combobox', { name: '“组织”的访问权限' }))
  fireEvent.click(await screen.findByText('只读', { selector: '.ant-select-item-option-content' }))
  fireEvent.click(screen.getByRole('button', { name: /^创\s*建$/ }))
  await waitFor(() =>
    expect(server.of('/api/organization/user/tokens')[0]?.body).toEqual({
      label: '周报',
      days: 90,
      apps: [{ appCode: 'org', write: false }],
    }),
  )
  expect(await screen.findByDisplayValue('secret')).toBeTruthy()
})

it('makes one that reaches everything as before', async () => {
  fireEvent.click(await screen.findByRole('button', { name: '新建令牌' }))
  fireEvent.change(screen.getByLabelText(/用途/), { target: { value: '周报' } })
  fireEvent.click(screen.getByRole('button', { name: /^创\s*建$/ }))
  await waitFor(() =>
    expect(server.of('/api/organization/user/tokens')[0]?.body).toEqual({ label: '周报', days: 90, readOnly: true }),
  )
})
