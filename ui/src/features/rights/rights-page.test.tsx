import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { RightsPage } from './rights-page'

const role = (code: string, name: string, change: object = {}) => ({
  code,
  pack: 'lock',
  label: { zh: name },
  description: '',
  includes: [],
  permissions: [],
  apps: [],
  people: 3,
  models: 1,
  ...change,
})

function Address() {
  const { pathname, search } = useLocation()
  return <output data-address>{pathname + search}</output>
}

let phone = false
beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('zh')
})
beforeEach(() => {
  const usual = window.matchMedia
  vi.stubGlobal('matchMedia', (query: string) => ({ ...usual(query), matches: phone && query.includes('719px') }))
  fakeServer({
    '/api/organization/user/info': { id: 'u', name: '管理', permissions: ['ADMIN'] },
    '/api/system/rights/roles': [
      role('staff', '员工'),
      role('administrator', '系统管理员', { pack: 'core' }),
      role('chief', '总工', { includes: ['STAFF'], permissions: ['APP_MNG'], apps: ['lock'] }),
    ],
    '/api/system/rights/models': { models: [], words: [], apps: [{ code: 'lock', label: { zh: '船闸' } }] },
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const draw = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <MemoryRouter initialEntries={['/rights']}>
          <RightsPage />
          <Address />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )

describe('the roles', () => {
  it('are a table', async () => {
    phone = false
    draw()
    const row = (await screen.findByText('总工')).closest('tr')
    expect([...(row?.children ?? [])].map((cell) => cell.textContent)).toEqual([
      '总工',
      'chief',
      '3',
      '员工',
      '应用管理员',
      '船闸',
      'lock',
    ])
  })

  it('lead to what can be changed: not those of the product itself', async () => {
    phone = false
    draw()
    expect((await screen.findByText('总工')).getAttribute('href')).toBe('/rights/role?pack=lock&code=chief')
    expect((await screen.findByText('系统管理员')).closest('a')).toBeNull()
  })

  it('open by a press on their row, too', async () => {
    phone = false
    draw()
    const row = (await screen.findByText('总工')).closest('tr') as HTMLElement
    fireEvent.click(row.children[2] as HTMLElement)
    expect(document.querySelector('[data-address]')?.textContent).toBe('/rights/role?pack=lock&code=chief')
    expect(screen.getByText('系统管理员').closest('tr')?.hasAttribute('data-opens')).toBe(false)
  })

  it('are cards on a phone, without what a role does not have', async () => {
    phone = true
    draw()
    const link = await screen.findByText('总工')
    expect(link.getAttribute('href')).toBe('/rights/role?pack=lock&code=chief')
    expect(document.querySelector('table')).toBeNull()
    expect(link.closest('li')?.textContent).toBe('总工chief应用管理员人数3包含角色员工应用船闸所属包lock')
    expect(screen.getByText('员工', { selector: 'a' }).closest('li')?.textContent).toBe('员工staff人数3所属包lock')
  })
})
