import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { useSession } from '@/api/session'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { type Call, fakeServer } from '@/testing/fake-server'
import { AdminPage } from './admin-page'
import { Guard } from './guard'

const draw = (at: string, routes: Parameters<typeof createMemoryRouter>[0]) => {
  const router = createMemoryRouter([...routes, { path: '*', element: null }], { initialEntries: [at] })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return () => {
    const { pathname, search, hash } = router.state.location
    return pathname + search + hash
  }
}

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('zh')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  useSession.setState({ status: 'unknown' })
})

describe('the guard', () => {
  it.each([
    ['/', '/login'],
    ['/my-draft', '/login?return=%2Fmy-draft'],
    [
      '/admin/#/organization/workHandover?userName=张三',
      `/login?return=${encodeURIComponent('/admin/#/organization/workHandover?userName=张三')}`,
    ],
  ])('leads from %s to the sign-in, which knows the whole way back', async (at, to) => {
    useSession.setState({ status: 'out' })
    const where = draw(
      at,
      [
        { path: '/admin/*', element: <Guard>page</Guard> },
        { path: '/login', element: null },
      ].concat(['/', '/my-draft'].map((path) => ({ path, element: <Guard>page</Guard> }))),
    )
    await waitFor(() => expect(where()).toBe(to))
    expect(screen.queryByText('page')).toBeNull()
  })
})

describe('the address of a handover', () => {
  const people = [
    { id: 'p1', data: { name: '张三', username: 'zhangsan' } },
    { id: 'p2', data: { name: '张三丰', username: 'zsf' } },
    { id: 'p3', data: { name: '李四', username: 'lisi' } },
    { id: 'p4', data: { name: '李四', username: 'lisi2' } },
  ]
  const open = (hash: string) => {
    fakeServer({
      '/api/runtime/query/list': ({ body }: Call) => ({
        content: people.filter((one) => one.data.name.startsWith((body as { keyword: string }).keyword)),
      }),
    })
    return draw(`/admin/${hash}`, [{ path: '/admin/*', element: <AdminPage /> }])
  }

  it('leads to the form, with the one who is called so', async () => {
    const where = open('#/organization/workHandover?userName=张三')
    await waitFor(() => expect(where()).toContain('/form/detail?'))
    expect(new URLSearchParams(where().split('?')[1]).get('relId')).toBe('p1')
  })

  it('lets one of several be chosen', async () => {
    open('#/organization/workHandover?userName=李四')
    const links = await screen.findAllByRole('link')
    expect(links.map((one) => one.textContent)).toEqual(['李四 (lisi)', '李四 (lisi2)'])
  })

  it('leads to the list where nobody is, or nobody is named', async () => {
    const where = open('#/organization/workHandover?userName=王五')
    await waitFor(() => expect(where()).toContain('/application-list/handover'))
    cleanup()
    const bare = open('#/organization/workHandover')
    await waitFor(() => expect(bare()).toContain('/application-list/handover'))
  })
})
