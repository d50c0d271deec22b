import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { ApplicationFrame } from './application-frame'

const lots = {
  id: 'lock/lots',
  code: 'lots',
  name: '检验批',
  name_i18n: {},
  type: 'BizModel',
  appCode: 'lock',
  schemaCode: 'lots',
  children: [],
}

describe('the frame of an application', () => {
  let server: ReturnType<typeof fakeServer>
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await setLocale('zh')
  })
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    server = fakeServer({ '/api/app/function/tree': [lots], '/api/app/home/visit': null })
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  const draw = (at: string) =>
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <MemoryRouter initialEntries={[at]}>
            <Routes>
              <Route path="/application/:appCode" element={<ApplicationFrame />}>
                <Route path="*" element={<p>page</p>} />
              </Route>
            </Routes>
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )

  it('has the menu beside the page, and remembers the page once somebody stays', async () => {
    draw('/application/lock/application-list/lots?code=lots')
    expect(await screen.findByRole('link', { name: '检验批' })).toBeTruthy()
    expect(server.of('/api/app/home/visit')).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(1600)
    await waitFor(() => expect(server.of('/api/app/home/visit')).toHaveLength(1))
    expect(server.of('/api/app/home/visit')[0]?.body).toEqual({ kind: 'page', place: 'lock', code: 'lots' })
  })

  it('has no menu on the route BIMView', async () => {
    draw('/application/lock/BIMView')
    expect(await screen.findByText('page')).toBeTruthy()
    expect(screen.queryByRole('navigation')).toBeNull()
  })
})
