import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer, refuse } from '@/testing/fake-server'
import { RehearsalPage } from './rehearsal-page'

beforeAll(async () => {
  await startI18n()
  await Promise.all([loadAllTexts(), loadLaterTexts()])
  await setLocale('zh')
})

it('says to people who may not rehearse a workflow why they may not', async () => {
  fakeServer({
    '/api/system/config': { timezone: 'UTC' },
    '/api/runtime/workflow/rehearsal': () => refuse(403, 700001, '没有权限'),
  })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <RehearsalPage form={() => null} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  const said = await screen.findByRole('alert')
  expect(said.textContent).toContain('无法演练此流程')
  vi.unstubAllGlobals()
})
