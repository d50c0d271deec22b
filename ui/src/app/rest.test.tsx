import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, Route, RouterProvider, Routes, useLocation } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer, refuse } from '@/testing/fake-server'
import { Rest, RestOfApplication } from './rest'

function Address() {
  const { pathname, search } = useLocation()
  return <p data-testid="address">{pathname + search}</p>
}

const CONFIG = { name: 'Sluice', name_i18n: {}, timezone: 'Asia/Shanghai', appCode: null as string | null }
const node = (code: string, more: object) => ({
  id: `lock/${code}`,
  code,
  name: code,
  name_i18n: {},
  type: 'Page',
  appCode: 'lock',
  children: [],
  ...more,
})

describe('rare addresses', () => {
  let answers: Record<string, unknown>
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
  })
  beforeEach(async () => {
    await setLocale('zh')
    answers = {
      '/api/system/config': CONFIG,
      '/api/runtime/interface/list': [],
      '/api/app/function/tree': [
        node('wall', { pcUrl: 'https://bim.example/view' }),
        node('own', { pcUrl: '/my-draft' }),
        node('near', { pcUrl: '/application/lock/application-list/lots?x=1' }),
        node('none', { pcUrl: null }),
        node('todo', { pcUrl: '/app-todo' }),
      ],
    }
    answers['/api/runtime/report/get'] = ({ search }: { search: URLSearchParams }) =>
      search.get('reportCode') === 'month' ? { code: 'month', appCode: 'lock' } : refuse(404, 306001, '报表不存在')
    fakeServer(answers)
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })

  function open(path: string) {
    const pages = (
      <Routes>
        {[
          '/',
          '/app-list/applications',
          '/user/info',
          '/my-draft',
          '/portal-page/:pageCode',
          '/portal-design/:pageCode',
          '/portal-design-preview/:pageCode',
          '/workflow-center/*',
          '/application/lock',
          '/application/lock/application-list/lots',
          '/application/lock/application-report/month',
        ].map((known) => (
          <Route key={known} path={known} element={<Address />} />
        ))}
        <Route path="/application/:appCode">
          <Route path="*" element={<RestOfApplication />} />
        </Route>
        <Route path="*" element={<Rest />} />
      </Routes>
    )
    const router = createMemoryRouter([{ path: '*', element: pages }], { initialEntries: [path] })
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    )
  }

  it.each([
    '/measureDetailed',
    '/summaryEditV4',
    '/PaymentEditV4',
    '/fineReport',
    '/fineReport?reportCode=gone',
    '/BIMPlatform',
    '/GroupPage',
    '/DataHome',
    '/application/lock/panoramicView',
    '/application/lock/application-custom',
  ])('%s says that it is not part of the installation, with a way back', async (path) => {
    open(path)
    expect((await screen.findByRole('heading')).textContent).toBe('此页面不在当前系统中')
    const back = screen.getByRole('link')
    expect(back.getAttribute('href')).toBe(path.startsWith('/application/') ? '/application/lock' : '/')
  })

  it('says so in English', async () => {
    await setLocale('en')
    open('/fineReport')
    expect((await screen.findByRole('heading')).textContent).toBe("This page isn't part of this installation")
  })

  it.each(['/workbench', '/workbench-center', '/workbench-center/workbench'])('%s is the start page', async (path) => {
    open(path)
    expect((await screen.findByTestId('address')).textContent).toBe('/')
  })

  it.each([
    ['/app-todo', 'unfinished'],
    ['/app-toread', 'unread'],
    ['/app-done', 'finished'],
    ['/app-readed', 'read'],
  ])('%s is the list of %s tasks', async (path, list) => {
    open(path)
    expect((await screen.findByTestId('address')).textContent).toBe(`/workflow-center/my-${list}-workitem`)
    cleanup()
    open(`${path}?appCode=lock`)
    expect((await screen.findByTestId('address')).textContent).toBe(`/workflow-center/my-${list}-workitem?appCode=lock`)
  })

  it.each([
    ['/error', '页面出错了'],
    ['/permission', '没有权限'],
    ['/form-unpublished', '表单未发布'],
    ['/shared/success', '操作成功'],
    ['/shared/empty', '暂无内容'],
    ['/nothing', '页面不存在'],
  ])('%s says %s', async (path, title) => {
    open(path)
    expect((await screen.findByRole('heading')).textContent).toBe(title)
  })

  it('leads back where the address says, and to no other site', async () => {
    open('/permission?return=%2Fmy-draft')
    expect((await screen.findByRole('link')).getAttribute('href')).toBe('/my-draft')
    cleanup()
    open('/permission?return=%2F%2Fevil.example')
    expect((await screen.findByRole('link')).getAttribute('href')).toBe('/')
  })

  it.each([
    ['/applications', '/app-list/applications'],
    ['/user', '/user/info'],
    ['/app-list/lock/lots/x?code=lots', '/application/lock/application-list/lots?code=lots'],
    ['/app-report/lock/month', '/application/lock/application-report/month'],
    ['/jump-report/lock/month?a=1', '/application/lock/application-report/month?a=1'],
    ['/fineReport?reportCode=month&f.a=1', '/application/lock/application-report/month?f.a=1'],
    ['/singleApp/lock', '/application/lock'],
    ['/app-home', '/app-list/applications'],
    ['/application/lock/application-define/near', '/application/lock/application-list/lots?x=1&code=near'],
    ['/app-define/near?appCode=lock', '/application/lock/application-list/lots?x=1&code=near'],
    ['/app-define/near', '/app-list/applications'],
    ['/portal-page', '/portal-page/defaultPortalDashboard'],
    ['/portal', '/portal-page/defaultPortalDashboard'],
    ['/application-portal', '/portal-page/defaultPortalDashboard'],
    ['/portal-page?code=site%2Fhome&a=1', '/portal-page/site%2Fhome?a=1'],
    ['/portal-design?code=home&appCode=lock', '/portal-design/home?appCode=lock'],
    ['/portal-design-preview?code=home', '/portal-design-preview/home'],
    ['/portal-design-preview', '/portal-design-preview/defaultPortalDashboard'],
    ['/admin/#/system/license?tabKey=2', '/app-list/applications?panel=theme'],
  ])('%s leads to %s', async (path, to) => {
    open(path)
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe(to))
  })

  it('opens the application that the server was started for', async () => {
    answers['/api/system/config'] = { ...CONFIG, appCode: 'lock' }
    for (const [path, to] of [
      ['/app-home', '/application/lock'],
      ['/app-todo', '/workflow-center/my-unfinished-workitem?appCode=lock'],
      ['/app-define/near', '/application/lock/application-list/lots?x=1&code=near'],
    ] as const) {
      open(path)
      await waitFor(() => expect(screen.getByTestId('address').textContent).toBe(to))
      cleanup()
    }
  })

  it('shows another page of ours within the application', async () => {
    open('/application/lock/application-define/own')
    expect((await screen.findByTitle('own')).getAttribute('src')).toBe('/my-draft?iframeAction=page')
    expect(document.title).toBe('own')
    cleanup()
    open('/application/lock/application-define/todo')
    expect((await screen.findByTitle('todo')).getAttribute('src')).toBe('/app-todo?appCode=lock&iframeAction=page')
  })

  it('opens what the menu names and never what the address names', async () => {
    open('/application/lock/application-define/wall?pcUrl=https%3A%2F%2Fevil.example')
    expect((await screen.findByRole('link')).getAttribute('href')).toBe('https://bim.example/view')
    cleanup()
    open('/application/lock/application-define/none')
    expect(await screen.findByText('页面地址未设置，请联系管理员！')).toBeTruthy()
    cleanup()
    open('/application/lock/application-define/https%3A%2F%2Fevil.example')
    expect((await screen.findByRole('heading')).textContent).toBe('页面不存在')
  })
})
