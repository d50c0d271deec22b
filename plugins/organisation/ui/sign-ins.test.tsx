import type { ActionContext } from '@sluice/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { addTexts } from '@/testing/texts'
import SignIns from './sign-ins'
import { texts } from './texts'

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

const one = (id: string, more: object) => ({
  ...{ id, script: false, label: '', address: '10.0.0.1', device: '', createdTime: '2026-11-01T00:00:00Z' },
  ...{ seenTime: '', expiresTime: '2027-01-01T00:00:00Z' },
  ...more,
})

/** A server that ends what it is told to, and keeps what it was asked. */
function server() {
  let open = [
    one('token', { script: true, label: 'nightly', address: '' }),
    one('old', { address: '10.0.0.2' }),
    one('new', { seenTime: '2026-11-09T00:00:00Z' }),
  ]
  const asked: unknown[] = []
  vi.stubGlobal('fetch', async (_: unknown, init: RequestInit) => {
    const { input } = JSON.parse(String(init.body))
    asked.push(input)
    open = input.all ? [] : open.filter(({ id }) => id !== input.end)
    return Response.json({ errcode: 0, errmsg: '', data: { data: { content: open } } })
  })
  return asked
}

function show() {
  const context = {
    ...{ schemaCode: 'user', queryCode: 'user', button: { actionCode: 'signIns' }, ids: ['li'] },
    rows: [{ id: 'li', data: { name: 'Li' } }],
  } as unknown as ActionContext
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <SignIns context={context} onClose={() => {}} />
      </App>
    </QueryClientProvider>,
  )
}

it('lists browsers, the last used first, then tokens, and ends one of them', async () => {
  const asked = server()
  show()
  await screen.findByText('nightly')
  const rows = screen.getAllByRole('listitem').map((row) => row.textContent)
  expect(rows[0]).toContain('10.0.0.1')
  expect(rows[1]).toContain('10.0.0.2')
  expect(rows[2]).toContain('nightly')
  const second = screen.getAllByRole('listitem')[1] as HTMLElement
  fireEvent.click(within(second).getByRole('button'))
  await waitFor(() => expect(screen.queryByText(/10\.0\.0\.2/)).toBeNull())
  expect(asked).toEqual([{}, { end: 'old' }])
})

it('asks before it ends everything, and says when nothing is left', async () => {
  const asked = server()
  show()
  fireEvent.click(await screen.findByText('End all'))
  await screen.findAllByText('End all sign-ins and tokens of Li?', {}, { timeout: 10_000 })
  expect(asked).toEqual([{}])
  fireEvent.click(screen.getAllByText('End all').at(-1) as HTMLElement)
  await screen.findByText('This person is not signed in anywhere and has no access tokens.')
  expect(asked).toEqual([{}, { all: true }])
})
