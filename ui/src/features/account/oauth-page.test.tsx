import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { LoginErrorPage } from './login-error-page'
import { OauthCallbackPage, OauthPage } from './oauth-page'

const calls = vi.hoisted(() => ({
  leaveTo: vi.fn(),
  returnFrom: vi.fn(),
  finishSignIn: vi.fn(),
  providers: [] as object[],
}))
vi.mock('./api-sign-in', async (original) => ({ ...(await original<object>()), ...calls }))
vi.mock('@/sdk/system', () => ({ useSystemConfig: () => ({ signInProviders: calls.providers }) }))

afterEach(cleanup)
beforeEach(() => {
  vi.clearAllMocks()
  calls.providers = [{ code: 'company', name: '公司', name_i18n: { en: 'Company' } }]
  window.history.replaceState(null, '', '/oauthCallback?code=secret&state=s')
})

const Here = () => <output>{useLocation().pathname + useLocation().search}</output>

function open(address: string) {
  render(
    <StrictMode>
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter initialEntries={[address]}>
          <Routes>
            <Route path="/oauth" element={<OauthPage />} />
            <Route path="/oauthCallback" element={<OauthCallbackPage />} />
            <Route path="/login-error" element={<LoginErrorPage />} />
          </Routes>
          <Here />
        </MemoryRouter>
      </QueryClientProvider>
    </StrictMode>,
  )
}

const at = () => screen.getByRole('status').textContent
const fault = (code: number, data?: unknown) => new ApiError('', { code, status: 400, data })

it('leaves once for the only provider, and back to a path of ours', async () => {
  open('/oauth?return=%2F%09%2Fevil.example')
  await vi.waitFor(() => expect(calls.leaveTo).toHaveBeenCalledWith('company', '/'))
  expect(calls.leaveTo).toHaveBeenCalledTimes(1)
})

it('asks which one where there are several', async () => {
  calls.providers = [...calls.providers, { code: 'other', name: 'x', name_i18n: {} }]
  open('/oauth?return=%2Ftasks')
  expect(at()).toBe('/login?return=%2Ftasks')
  expect(calls.leaveTo).not.toHaveBeenCalled()
})

it('takes what a provider sent out of the address, uses it once and goes on', async () => {
  calls.returnFrom.mockResolvedValue({ path: '/tasks?x=1', linked: false })
  open('/oauthCallback?code=secret&state=s&iss=https%3A%2F%2Fid.example')
  await vi.waitFor(() => expect(at()).toBe('/tasks?x=1'))
  expect(calls.returnFrom).toHaveBeenCalledTimes(1)
  expect(calls.returnFrom).toHaveBeenCalledWith({ code: 'secret', state: 's', iss: 'https://id.example' })
  expect(window.location.href).not.toContain('secret')
})

it.each(['//evil.example', 'https://evil.example', '/\\evil.example', '/oauthCallback?code=x'])(
  'does not go on to %s',
  async (path) => {
    calls.returnFrom.mockResolvedValue({ path, linked: true })
    open('/oauthCallback?code=c&state=s')
    await vi.waitFor(() => expect(at()).toBe('/'))
  },
)

it.each([
  [ERROR.IdentityUnknown, 'session.error.unknown'],
  [ERROR.SignInStale, 'session.error.stale'],
])('says what went wrong: %s', async (code, words) => {
  calls.returnFrom.mockRejectedValue(fault(code))
  open('/oauthCallback?code=c&state=s')
  await vi.waitFor(() => expect(at()).toBe(`/login-error?code=${code}`))
  expect(document.body.textContent).toContain(words)
})

it('says that the provider refused, in our words', async () => {
  open('/oauthCallback?error=access_denied&error_description=Call+0800+EVIL&state=s')
  await vi.waitFor(() => expect(at()).toBe(`/login-error?code=${ERROR.SignInDenied}`))
  expect(document.body.textContent).not.toContain('EVIL')
  expect(calls.returnFrom).not.toHaveBeenCalled()
})

it('asks for the code of the second step, and then goes on', async () => {
  calls.returnFrom.mockRejectedValue(fault(ERROR.SecondFactor, { ticket: 'the ticket', return: '/tasks' }))
  calls.finishSignIn.mockRejectedValueOnce(fault(ERROR.FactorWrong)).mockResolvedValueOnce(undefined)
  open('/oauthCallback?code=c&state=s')
  const box = await vi.waitFor(() => {
    const found = document.querySelector<HTMLInputElement>('input[autocomplete="one-time-code"]')
    if (!found) throw new Error('no box')
    return found
  })
  const send = () => box.form && fireEvent.submit(box.form)
  fireEvent.change(box, { target: { value: '000000' } })
  send()
  await vi.waitFor(() => expect(calls.finishSignIn).toHaveBeenCalledWith('the ticket', '000000'))
  fireEvent.change(box, { target: { value: '123456' } })
  await vi.waitFor(() => expect(box.disabled).toBe(false))
  send()
  await vi.waitFor(() => expect(at()).toBe('/tasks'))
})
