import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { useMenuStore } from '@/features/menu/menu-store'
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

/** A page of the application that the menu names by its address: the same list with a filter. */
const late = {
  ...lots,
  id: 'lock/late',
  code: 'late',
  name: '逾期检验批',
  type: 'Page',
  schemaCode: null,
  parentId: 'lock/q',
  pcUrl: '/application/lock/application-list/lots?f.state=late',
}
const folder = { ...lots, id: 'lock/q', code: 'q', name: '质量', type: 'Folder', schemaCode: null, children: [late] }

describe('the frame of an application', () => {
  let server: ReturnType<typeof fakeServer>
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await setLocale('zh')
  })
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    server = fakeServer({ '/api/app/function/tree': [lots, folder], '/api/app/home/visit': null })
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

  it('marks the page that was chosen, not the list that it shows, and opens its folder', async () => {
    useMenuStore.setState({ closed: ['lock/q'] })
    draw('/application/lock/application-list/lots?code=lots')
    const open = () => screen.getAllByRole('link').map((one) => [one.textContent, one.getAttribute('aria-current')])
    await waitFor(() => expect(open()).toEqual([['检验批', 'page']]))
    fireEvent.click(screen.getByRole('button', { name: '质量' })) // which leads to what is in it
    const both = (first: string | null, second: string | null) =>
      waitFor(() =>
        expect(open()).toEqual([
          ['检验批', first],
          ['逾期检验批', second],
        ]),
      )
    await both(null, 'page')
    fireEvent.click(screen.getByRole('link', { name: '检验批' }))
    await both('page', null)
    fireEvent.click(screen.getByRole('link', { name: '逾期检验批' }))
    await both(null, 'page')
  })

  it('leaves all the room to the page where the menu is collapsed', async () => {
    draw('/application/lock/application-list/lots?code=lots')
    const menu = await screen.findByRole('navigation')
    expect(menu.style.width).toBe('250px')
    act(() => useMenuStore.getState().toggle())
    expect(screen.queryByRole('navigation')).toBeNull()
    act(() => useMenuStore.setState({ collapsed: false }))
    expect(screen.getByRole('navigation').style.width).toBe('250px')
  })

  it('has no menu on the route BIMView', async () => {
    draw('/application/lock/BIMView')
    expect(await screen.findByText('page')).toBeTruthy()
    expect(screen.queryByRole('navigation')).toBeNull()
  })
})
