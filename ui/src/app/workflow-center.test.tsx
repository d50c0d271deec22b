import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { useMenuStore } from '@/features/menu/menu-store'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { WorkflowCenter } from './workflow-center'

beforeAll(async () => {
  await startI18n()
  await Promise.all([loadAllTexts(), loadLaterTexts()])
  await setLocale('zh')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(at: string) {
  fakeServer({
    '/api/organization/user/info': { id: 'u0', name: '张三', permissions: [] },
    '/api/system/config': { timezone: 'Asia/Shanghai' },
    '/api/runtime/workitem/counts': { unfinished: 0, timeout: 0, unread: 0 },
    '/api/runtime/workitem/unfinished': { content: [], totalElements: 0 },
    '/api/runtime/workflow/known': [],
  })
  const router = createMemoryRouter([{ path: '/workflow-center/*', element: <WorkflowCenter /> }], {
    initialEntries: [at],
  })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <RouterProvider router={router} />
      </App>
    </QueryClientProvider>,
  )
  return () => router.state.location.pathname
}

it('begins with the tasks of the reader', async () => {
  const where = open('/workflow-center')
  await screen.findByText('暂无待办')
  await waitFor(() => expect(where()).toBe('/workflow-center/my-unfinished-workitem'))
})

it('has a menu of 200 pixels beside its pages, which leaves 64 of icons when it is collapsed', async () => {
  useMenuStore.setState({ collapsed: false })
  open('/workflow-center/none')
  const menu = () => screen.getByRole('navigation', { name: '流程中心菜单' })
  expect(menu().style.width).toBe('200px')
  expect(menu().textContent).toContain('我发起的')
  act(() => useMenuStore.getState().toggle())
  expect(menu().style.width).toBe('64px')
  expect(menu().textContent).not.toContain('我发起的')
  expect(screen.getByRole('link', { name: '我发起的' })).toBeTruthy() // whose name is told by the icon
  expect(screen.queryByRole('separator')).toBeNull()
})
