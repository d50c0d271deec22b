import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer, refuse } from '@/testing/fake-server'
import { PackPage } from './pack-page'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await setLocale('zh')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const open = () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const routes = [{ path: '/application/:appCode/application-page/:pack/:page', element: <PackPage /> }]
  const initialEntries = ['/application/quality/application-page/quality/qualityTree?code=qualityTree']
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={createMemoryRouter(routes, { initialEntries })} />
    </QueryClientProvider>,
  )
}

it('says that there is no such page to those whose application it is not', async () => {
  fakeServer({ '/api/app/function/tree': () => refuse(404, 300001, '应用不存在') })
  open()
  expect(await screen.findByText('页面不存在')).toBeDefined()
})

it('says what failed, and reads it again', async () => {
  const answers: Record<string, unknown> = { '/api/app/function/tree': () => refuse(500, 100001, '出错了') }
  fakeServer(answers)
  open()
  expect(await screen.findByText('出错了')).toBeDefined()
  answers['/api/app/function/tree'] = []
  fireEvent.click(screen.getByRole('button', { name: /重 ?试/ }))
  expect(await screen.findByText('页面不存在')).toBeDefined()
})
