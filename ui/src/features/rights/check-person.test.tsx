import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { CheckPerson } from './check-person'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const role = (code: string, zh: string, en: string) => ({ code, pack: 'lock', label: { zh, i18n: { en } } })

/** The page of a person and a model, in a language. */
async function show(locale: 'en' | 'zh') {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale(locale)
  const grant = { at: 'access/staff.json:5:5', actions: ['view'], rows: 'all', editRows: '', holds: null, edits: null }
  fakeServer({
    '/api/system/rights/roles': [role('staff', '员工', 'Staff'), role('viewer', '来访', 'Viewer')],
    '/api/system/rights/models': { models: [], words: [], apps: [] },
    '/api/system/rights/people': [{ id: 'u1', name: '王芳', detail: '' }],
    '/api/system/rights/explain': {
      roles: ['viewer'],
      permissions: [],
      maySeeAs: true,
      explanation: {
        sees: true,
        rows: 'all',
        grants: [{ ...grant, role: 'staff', via: 'viewer' }],
        actions: [],
        fields: [],
      },
    },
  })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <MemoryRouter initialEntries={['/rights?tab=check&userId=u1&schemaCode=lot']}>
          <CheckPerson />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
}

it('calls the roles behind a permission by their names', async () => {
  await show('en')
  const name = await screen.findByText('Staff')
  expect(name.closest('p')?.textContent).toContain('through Viewer')
})

it('says in words which records a role shows', async () => {
  await show('zh')
  const grant = (await screen.findByText('员工')).closest('p')?.parentElement
  expect(grant?.textContent).toContain('全部')
  expect(grant?.textContent).not.toContain('all')
})
