import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { meQuery } from './me'
import { type OutboxEntry, useOutbox } from './outbox'

const entry = (token: string): OutboxEntry => ({ token, path: '/api/x', body: { a: 1 }, title: token, at: 0 })

function outbox() {
  const client = new QueryClient()
  client.setQueryData(meQuery.queryKey, { id: 'u1' } as never)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  return renderHook(() => useOutbox('test'), { wrapper })
}

const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })

afterEach(() => {
  localStorage.clear()
  vi.unstubAllGlobals()
})

test('what found no network waits in the browser, and is sent with its token', async () => {
  const fetch = vi.fn(async (_url: string, _init: RequestInit): Promise<Response> => {
    throw new TypeError('no network')
  })
  vi.stubGlobal('fetch', fetch)
  const { result } = outbox()
  act(() => void result.current.keep(entry('token-01')))
  await act(() => result.current.flush())
  expect(result.current.entries).toHaveLength(1)
  fetch.mockImplementation(async () => answer(200, { errcode: 0, errmsg: '', data: {} }))
  await act(() => result.current.flush())
  await waitFor(() => expect(result.current.entries).toHaveLength(0))
  expect(JSON.parse(String(fetch.mock.lastCall?.[1].body))).toEqual({ a: 1, clientToken: 'token-01' })
})

test('what the server refuses stays and says why; it is not sent again by itself', async () => {
  const fetch = vi.fn(async () => answer(422, { errcode: 560006, errmsg: 'locked', data: null }))
  vi.stubGlobal('fetch', fetch)
  const { result } = outbox()
  act(() => void result.current.keep(entry('token-02')))
  await act(() => result.current.flush())
  expect(result.current.entries[0]?.refused).toBe('locked')
  await act(() => result.current.flush())
  expect(fetch).toHaveBeenCalledTimes(1)
  act(() => result.current.drop('token-02'))
  expect(result.current.entries).toHaveLength(0)
})

test('a page that opens sends at once what waits', async () => {
  const fetch = vi.fn(async (_url: string, _init: RequestInit): Promise<Response> => {
    throw new TypeError('no network')
  })
  vi.stubGlobal('fetch', fetch)
  const before = outbox()
  act(() => void before.result.current.keep(entry('token-03')))
  await waitFor(() => expect(fetch).toHaveBeenCalled())
  before.unmount()
  fetch.mockImplementation(async () => answer(200, { errcode: 0, errmsg: '', data: {} }))
  const { result } = outbox()
  await waitFor(() => expect(result.current.entries).toHaveLength(0))
})
