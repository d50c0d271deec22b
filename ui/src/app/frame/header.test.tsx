import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, it } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { Header } from './header'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await setLocale('en')
})

const named = (name: string) => ({ name, name_i18n: { en: name } })

it('the header shows what stands beside names when the names are known, and keeps it then', async () => {
  const come: (() => void)[] = []
  const late = (answer: unknown) => () => new Promise((resolve) => come.push(() => resolve(answer)))
  fakeServer({
    '/api/system/config': { ...named('Sluice'), timezone: 'UTC' },
    '/api/app/apppackage/list': late([
      { code: 'lock', ...named('Ship lock'), icon: null, color: null, group: null, group_i18n: {} },
    ]),
    '/api/app/function/tree': late([{ id: 'm', code: 'lot', type: 'BizModel', ...named('Lots'), children: [] }]),
    '/api/organization/user/info': { id: 'u', name: 'Zhang', permissions: [], imgUrl: null },
    '/api/sysConfig/projectConfig/default': late({ title: 'North bank', multiProjectFlag: false }),
    '/api/app/home': late({ favorites: [], pages: [], records: [] }),
    '/api/message/unread': { total: 0 },
  })
  const { container } = render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <MemoryRouter initialEntries={['/application/lock/application-list/lot']}>
          <Header onDialog={() => {}} />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
  await screen.findByRole('button', { name: 'Notifications' })
  const header = container.querySelector('header') as HTMLElement
  const split = () => {
    const all = [...header.children]
    const gap = all.findIndex((one) => one.className.includes('gap'))
    const isPressed = (one: Element) => one.matches('button, a') || one.querySelector('button, a, input') !== null
    return { left: all.slice(0, gap).filter(isPressed), right: all.slice(gap).filter(isPressed) }
  }
  const before = split()
  expect(before.left.map((one) => one.hasAttribute('data-coming'))).toEqual([true])
  expect(before.right.length).toBe(3)
  for (let known = 0; known < come.length; known++) come[known]?.()
  const switcher = await screen.findByRole('button', { name: /Ship lock/ })
  expect(header.querySelector('[data-coming]')).toBeNull()
  await waitFor(() => expect(screen.getByText('North bank')).toBeTruthy())
  const after = split()
  expect(after.right).toEqual(before.right)
  expect(after.left.slice(0, 2)).toEqual([before.left[0], switcher])
})
