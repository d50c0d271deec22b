import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { createMemoryRouter, Route, RouterProvider, Routes, useLocation } from 'react-router'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { Rest } from '../rest'
import { Frame } from './frame'

vi.mock('@/api/events', () => ({
  followEvents: () => () => {},
  watchStreaming: () => () => {},
  isStreaming: () => false,
}))

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await setLocale('zh')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Address() {
  const { pathname, search } = useLocation()
  return <output>{pathname + search}</output>
}

function open(path: string, permissions: string[]) {
  const theme = { name: 'default', icon: 'theme', color: '#00adfc', outward: 'light' }
  fakeServer({
    '/api/system/config': { name: '船闸平台', name_i18n: {}, logoUrl: null, theme, timezone: 'Asia/Shanghai' },
    '/api/system/theme': { theme, themes: [theme] },
    '/api/organization/user/info': { id: 'u', name: '张三', permissions, imgUrl: null },
    '/api/sysConfig/projectConfig/default': { title: '', multiProjectFlag: false },
    '/api/app/apppackage/list': [],
    '/api/app/home': { favorites: [], pages: [], records: [], recentApps: [] },
    '/api/message/unread': { total: 0 },
  })
  const pages = (
    <Routes>
      <Route element={<Frame />}>
        <Route path="/app-list/applications" element={<Address />} />
      </Route>
      <Route path="*" element={<Rest />} />
    </Routes>
  )
  const router = createMemoryRouter([{ path: '*', element: pages }], { initialEntries: [path] })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <RouterProvider router={router} />
      </App>
    </QueryClientProvider>,
  )
}
const at = async () => {
  await screen.findByText(/^\/app-list\/applications/)
  await waitFor(() => expect(screen.getByText(/^\/app-list/).textContent).toBe('/app-list/applications'))
}

it('the address of logo and copyright opens the panel that holds them, and goes on without it', async () => {
  open('/admin/#/system/license?tabKey=2', ['ADMIN'])
  expect((await screen.findByLabelText<HTMLInputElement>('系统名称')).value).toBe('船闸平台')
  await at()
})

it('for who may not change them the address opens no panel', async () => {
  open('/admin/#/system/license?tabKey=2', [])
  await at()
  await vi.dynamicImportSettled()
  expect(screen.queryByLabelText('系统名称')).toBeNull()
})
