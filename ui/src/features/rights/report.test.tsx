import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { AccessReport } from './report'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('calls roles by their names, and one that is new by its code', async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('en')
  fakeServer({
    '/api/system/rights/roles': [{ code: 'viewer', pack: 'lock', label: { zh: '来访', i18n: { en: 'Viewer' } } }],
  })
  const group = {
    people: 2,
    names: ['Li', 'Wang'],
    roles: [['viewer', 'fresh']],
    permissions: [],
    apps: [],
    models: [],
    actions: [],
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AccessReport report={{ people: 2, groups: [group] } as never} />
    </QueryClientProvider>,
  )
  expect(await screen.findByText('Viewer + fresh')).toBeTruthy()
})
