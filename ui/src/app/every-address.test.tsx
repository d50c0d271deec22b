import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { useSession } from '@/api/session'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { inside, loginPage } from './parts'
import { Root } from './root'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await setLocale('zh')
  // which takes longer than a test may
  await Promise.all([inside.read(), loginPage.read(), import('./public-page'), import('./external-link-page')])
}, 60_000)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  useSession.setState({ status: 'unknown' })
})

function open(at: string) {
  const server = fakeServer({
    '/api/system/config': { name: 'Sluice', name_i18n: {}, timezone: 'Asia/Shanghai', appCode: null },
    '/api/login/setup': { needed: false },
  })
  useSession.setState({ status: 'out' })
  const router = createMemoryRouter([{ path: '*', element: <Root /> }], { initialEntries: [at] })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { server, where: () => router.state.location.pathname + router.state.location.search }
}

/** The addresses that are behind the sign-in. */
const BEHIND = [
  '/?messageId=m1',
  '/workbench',
  '/workbench-center/workbench',
  '/error',
  '/permission',
  '/form-unpublished',
  '/print?printCode=p',
  '/measureDetailed',
  '/summaryEditV4',
  '/PaymentEditV4',
  '/fineReport?reportCode=r',
  '/portal-page',
  '/portal-page/home',
  '/portal-design/home',
  '/portal-design-preview/home',
  '/form/detail?schemaCode=lot&key=1',
  '/form/detail?isFromTips=true&workflowInstanceId=w',
  '/from/workflow-track/i1/w1/',
  '/from/operation-log-compare/l1/i1/w1',
  '/shared/success',
  '/shared/empty',
  '/message-notification?type=COMMENT',
  '/my-draft',
  '/app-list',
  '/app-list/applications',
  '/applications',
  '/application-portal',
  '/application/lock',
  '/application/lock/application-list/lots?page=2',
  '/application/lock/application-define/wall',
  '/application/lock/application-report/month',
  '/application/lock/application-portal/app-portal-runtime',
  '/application/lock/application-custom',
  '/application/lock/panoramicView',
  '/jump-report/lock/month',
  '/workflow-center',
  '/workflow-center/query-instance',
  '/workflow-design/lock/measure',
  '/print-design/lock/paper',
  '/document/report/lock/month',
  '/user',
  '/user/info',
  '/singleApp/lock',
  '/app-home',
  '/app-todo',
  '/app-define/wall',
  '/BIMPlatform',
  '/BIMView',
  '/GroupPage',
  '/DataHome',
  '/admin/applications',
  '/external-links',
  '/rights',
  '/audit',
  '/system/operation',
  '/tasks/all',
  '/search?keyword=x',
  '/nothing',
]

it.each(BEHIND)('without a session %s leads to the sign-in and asks for nothing behind it', async (at) => {
  const { server, where } = open(at)
  await waitFor(() => expect(where()).toBe(`/login?return=${encodeURIComponent(at)}`))
  const asked = new Set(server.calls.map(({ path }) => path))
  asked.delete('/api/system/config')
  expect([...asked].filter((path) => !/^\/api\/(login|setup)\b/.test(path))).toEqual([])
})

it.each(['/login', '/login-error', '/oauthCallback', '/NewPortal', '/external-link/none', '/print/verify'])(
  'without a session %s is shown',
  async (at) => {
    const { where } = open(at)
    await new Promise((resume) => setTimeout(resume, 50))
    expect(where()).not.toMatch(/^\/login\?/)
  },
)
