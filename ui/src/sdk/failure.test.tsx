import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { Failure, Forbidden } from './failure'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await setLocale('en')
})
afterEach(cleanup)

const show = (error: unknown, more = {}) =>
  render(
    <MemoryRouter>
      <Failure error={error} onRetry={() => {}} {...more} />
    </MemoryRouter>,
  )
const refused = (status: number, code: number, message: string) => new ApiError(message, { status, code })
const retry = () => screen.queryByRole('button', { name: 'Retry' })
const home = () => screen.queryByRole('link', { name: 'Go to home page' })

describe('a page that somebody may not see', () => {
  it('says so in one way, whom to ask and the way home, and offers no Retry', () => {
    show(refused(403, ERROR.Forbidden, "You don't have permission to do this"), { page: true, title: 'Could not read' })
    expect(screen.getByRole('heading').textContent).toBe('No permission')
    expect(screen.getByText('Could not read')).toBeDefined()
    expect(screen.getByRole('alert').textContent).toContain('Ask an administrator if you need it.')
    expect(home()?.getAttribute('href')).toBe('/')
    expect(retry()).toBeNull()
  })

  it('tells who may, by the page or by the server', () => {
    show(refused(403, ERROR.Forbidden, 'no'), { who: 'Only auditors can see this.' })
    expect(screen.getByText('Only auditors can see this.')).toBeDefined()
    cleanup()
    show(refused(403, ERROR.AdminStart, 'Sign in with your own account.'))
    expect(screen.getByText('Sign in with your own account.')).toBeDefined()
  })

  it('leads back where the address says', () => {
    render(
      <MemoryRouter>
        <Forbidden page back="/my-draft" />
      </MemoryRouter>,
    )
    expect(screen.getByRole('link').getAttribute('href')).toBe('/my-draft')
  })
})

describe('a failure', () => {
  it.each([400, 404, 409, 410, 422])('of status %i stays one: no Retry', (status) => {
    show(refused(status, 300_000, 'It is not there'), { page: true, gone: 'Nothing here' })
    expect(screen.getByRole('heading').textContent).toBe('Nothing here')
    expect(screen.getByText('It is not there')).toBeDefined()
    expect(retry()).toBeNull()
    expect(home()).not.toBeNull()
  })

  it.each([0, 408, 423, 429, 500, 503])('of status %i may pass: Retry', (status) => {
    const again = vi.fn()
    show(refused(status, 100_000, 'Later'), { gone: 'Nothing here', onRetry: again })
    retry()?.click()
    expect(again).toHaveBeenCalledOnce()
    expect(screen.queryByText('Nothing here')).toBeNull()
  })
})
