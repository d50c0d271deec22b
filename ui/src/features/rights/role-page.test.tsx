import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { RolePage } from './role-page'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('zh')
})
afterEach(cleanup)

const model = (code: string, pack: string) => ({ code, pack, label: { zh: code }, actions: [], fields: [] })

it('offers the packs that authors write, by the names of their applications', async () => {
  fakeServer({
    '/api/organization/user/info': { id: 'u', name: '管理', permissions: ['ADMIN'] },
    '/api/system/rights/roles': [],
    '/api/system/rights/models': {
      models: [model('calendar', 'core'), model('gate', 'lock'), model('person', 'organisation')],
      apps: [{ code: 'lock', label: { zh: '船闸' } }],
      words: [],
    },
  })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <MemoryRouter initialEntries={['/rights/role']}>
          <RolePage />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
  const pack = await screen.findByLabelText('所属包')
  await screen.findByText('船闸（lock）')
  fireEvent.mouseDown(pack)
  const offered = [...document.querySelectorAll('.ant-select-item-option')].map((one) => one.textContent)
  expect(offered).toEqual(['船闸（lock）', 'organisation'])
})
