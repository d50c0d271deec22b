import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { App } from 'antd'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { menuQuery } from '@/features/menu/queries'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { ReportPage } from './report-page'

const entry = {
  id: 'a/month',
  code: 'month',
  name: '月报',
  name_i18n: { en: 'Monthly' },
  type: 'Report' as const,
  appCode: 'a',
  reportCode: 'progress',
  children: [],
}

describe('a report of the menu', () => {
  const open = (address: string) => {
    const client = new QueryClient({
      defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
    })
    client.setQueryData(menuQuery('a').queryKey, [entry] as never)
    const router = createMemoryRouter(
      [{ path: '/application/:appCode/application-report/:reportCode', element: <ReportPage /> }],
      { initialEntries: [address] },
    )
    render(
      <QueryClientProvider client={client}>
        <App>
          <RouterProvider router={router} />
        </App>
      </QueryClientProvider>,
    )
  }
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
  })
  afterEach(cleanup)

  it('says in both languages that this version draws no reports, by the name of the entry', async () => {
    await setLocale('zh')
    open('/application/a/application-report/progress?code=month')
    expect(await screen.findByRole('heading', { name: '暂不支持“月报”' })).toBeTruthy()
    cleanup()
    await setLocale('en')
    open('/application/a/application-report/progress')
    expect(await screen.findByRole('heading', { name: '“Monthly” is not supported yet' })).toBeTruthy()
  })
})
