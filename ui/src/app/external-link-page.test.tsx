import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { Suspense, use } from 'react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { setLocale, startI18n } from '@/i18n/i18n'
import { ExternalLinkPage } from './external-link-page'

beforeAll(async () => {
  await startI18n()
  await setLocale('en')
})
afterEach(() => vi.unstubAllGlobals())

test('the text of a link is not lost when the page is begun twice before it is shown', async () => {
  const sent: string[] = []
  vi.stubGlobal('fetch', async (address: string, { body }: { body?: string } = {}) => {
    sent.push(`${new URL(address, location.href).pathname} ${body ?? ''}`)
    return Response.json({ errcode: 100041, errmsg: 'over', data: null })
  })
  window.history.replaceState(null, '', '/external-link/complaint#secret-text')
  let ready = () => {}
  const later = new Promise<void>((resolve) => {
    ready = resolve
  })
  function Late() {
    use(later) // all that is drawn beside it is thrown away, with its state
    return null
  }
  await act(async () =>
    render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter initialEntries={['/external-link/complaint']}>
          <Suspense fallback="begun">
            <Routes>
              <Route path="/external-link/:formid" element={<ExternalLinkPage />} />
            </Routes>
            <Late />
          </Suspense>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  )
  expect(screen.getByText('begun')).toBeDefined()
  expect(window.location.hash).toBe('')
  await act(async () => ready())
  await screen.findByRole('alert')
  expect(sent.join()).toContain('secret-text')
})
