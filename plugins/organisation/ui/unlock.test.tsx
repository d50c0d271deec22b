import type { ActionContext } from '@sluice/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { addTexts } from '@/testing/texts'
import { texts } from './texts'
import Unlock from './unlock'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  addTexts(texts)
  await setLocale('en')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function show(failures: number, until: string) {
  const asked: unknown[] = []
  vi.stubGlobal('fetch', async (_: unknown, init: RequestInit) => {
    const { input } = JSON.parse(String(init.body))
    asked.push(input)
    const data = input.look ? { failures, until } : { failures: 0, until: '' }
    return Response.json({ errcode: 0, errmsg: '', data: { data } })
  })
  const onClose = vi.fn()
  const context = {
    ...{ schemaCode: 'user', queryCode: 'user', button: { actionCode: 'unlockUser' }, ids: ['li'] },
    rows: [{ id: 'li', data: { name: 'Li' } }],
  } as unknown as ActionContext
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <Unlock context={context} onClose={onClose} />
      </App>
    </QueryClientProvider>,
  )
  return { asked, onClose }
}

it('says until when an account is locked, and unlocks it', async () => {
  const { asked, onClose } = show(7, '2026-11-09T00:00:00Z')
  await screen.findByText(/Too many failed sign-ins: .* 2026-11-09 0/)
  await screen.findByText('Failed attempts that still count: 7')
  fireEvent.click(screen.getByRole('button', { name: 'Unlock' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(asked).toEqual([{ look: true }, {}])
})

it('has nothing to unlock where nothing failed', async () => {
  show(0, '')
  await screen.findByText('This account is not locked.')
  expect((screen.getByRole('button', { name: 'Unlock' }) as HTMLButtonElement).disabled).toBe(true)
})
