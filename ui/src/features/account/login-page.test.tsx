import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import { LoginPage } from './login-page'

vi.mock('./api', () => ({
  signIn: vi.fn(async () => {}),
  setupQuery: { queryKey: ['setup'], queryFn: async () => ({ needed: false }) },
}))
const system = vi.hoisted(() => ({ config: undefined as object | undefined }))
vi.mock('@/sdk/system', () => ({ useSystemConfig: () => system.config }))

afterEach(cleanup)

const Here = () => <output>{useLocation().pathname + useLocation().search}</output>

async function signInTo(target: string) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter initialEntries={[`/login?return=${target}`]}>
        <LoginPage />
        <Here />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  const [name, password] = [
    document.querySelector<HTMLInputElement>('input[autocomplete="username"]'),
    document.querySelector<HTMLInputElement>('input[autocomplete="current-password"]'),
  ]
  if (!name || !password) throw new Error('no form')
  fireEvent.change(name, { target: { value: 'zhang.wei' } })
  fireEvent.change(password, { target: { value: 'Long-Enough-1' } })
  const form = name.closest('form')
  if (form) fireEvent.submit(form)
  await vi.waitFor(() => expect(screen.getByRole('status').textContent).not.toMatch(/^\/login/))
  return screen.getByRole('status').textContent
}

it.each(['%2F%09%2Fevil.example', '%2Flist%09', '%2Flist%0D%0AX', '%2F..%2F%2Fevil.example', '%2Flogin'])(
  'opens the first page after a sign-in to %s',
  async (target) => expect(await signInTo(target)).toBe('/'),
)

it('has a button for each provider, and none where there is none', async () => {
  const open = () =>
    render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter initialEntries={['/login?return=%2Ftasks']}>
          <LoginPage />
          <Here />
        </MemoryRouter>
      </QueryClientProvider>,
    )
  open()
  expect(screen.queryByRole('button', { name: 'session.signInBy' })).toBeNull()
  cleanup()
  system.config = { signInProviders: [{ code: 'company', name: '公司', name_i18n: { en: 'Company' } }] }
  open()
  fireEvent.click(screen.getByRole('button', { name: 'session.signInBy' }))
  await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe('/oauth?provider=company&return=%2Ftasks'))
  system.config = undefined
})

it('goes on to a page of ours, also to that of the message of a mail', async () => {
  expect(await signInTo('%2F%3FmessageId%3Dm1')).toBe('/?messageId=m1')
  cleanup()
  expect(await signInTo('%2Fapplication%2Fa%3Fpage%3D2')).toBe('/application/a?page=2')
})
