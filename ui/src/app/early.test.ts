import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { configureClient } from '@/api/client'
import { likelySignedIn } from '@/api/session'
import { configQuery, headersQuery, savedFiltersQuery } from '@/features/list/data/queries'
import { menuQuery } from '@/features/menu/queries'
import { PHONE } from '@/lib/use-media'
import { appsQuery } from '@/sdk/home'
import { meQuery } from '@/sdk/me'
import { portalQuery } from '@/sdk/portal'
import { systemConfigQuery } from '@/sdk/system'

const answer = () => new Response(JSON.stringify({ errcode: 0, errmsg: '', data: {} }), { status: 200 })
const sent = vi.fn(async (_url: string, _how: RequestInit) => answer())

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  sent.mockClear()
  vi.stubGlobal('fetch', sent)
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query !== PHONE && query.startsWith('(max-width') }))
  localStorage.clear()
  Reflect.deleteProperty(window, 'sluiceEarly')
  window.history.replaceState(null, '', '/application/shiplock/application-list/a%20b?code=x&queryCode=mine&page=2')
  configureClient({ locale: () => 'zh' })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const context = { signal: new AbortController().signal, client: new QueryClient() }
/** What the application asks for at that address, one after the other. */
const queries = () => [
  systemConfigQuery.queryFn(context),
  meQuery.queryFn(context),
  appsQuery.queryFn(context),
  menuQuery('shiplock').queryFn(context),
  configQuery('a b', 'mine')
    .queryFn(context)
    .catch(() => {}), // the answer is none that a list could be drawn from
  savedFiltersQuery('a b', 'mine').queryFn(context),
  headersQuery('a b').queryFn(context),
]

test('the application finds every answer that it asks for, and says the same of itself', async () => {
  localStorage.setItem('expireTime', JSON.stringify({ exp: Date.now() / 1000 + 600, refreshAt: 0 }))
  expect(likelySignedIn()).toBe(true)
  await import('./early')
  const early = sent.mock.calls.map(([url, how]) => [url, how.headers])
  expect(early).toHaveLength(7)
  await Promise.all(queries())
  expect(sent).toHaveBeenCalledTimes(7)
  await Promise.all(queries()) // an answer is taken once
  expect(sent.mock.calls.slice(7).map(([url, how]) => [url, how.headers])).toEqual(early)
})

test('a page of a portal is asked for as its own query asks', async () => {
  localStorage.setItem('expireTime', JSON.stringify({ exp: Date.now() / 1000 + 600, refreshAt: 0 }))
  window.history.replaceState(null, '', '/portal-page/home%20page?x=1')
  await import('./early')
  const before = sent.mock.calls.length
  await portalQuery('home page', 'runtime').queryFn(context)
  expect(sent).toHaveBeenCalledTimes(before)
  await portalQuery('home page', 'design').queryFn(context) // a draft is asked for when its page is there
  expect(sent).toHaveBeenCalledTimes(before + 1)
})

test('an answer in another language, and one that nobody took in time, is asked for again', async () => {
  await import('./early')
  expect(sent.mock.calls.map(([url]) => url)).toEqual(['/api/system/config']) // nobody has signed in here
  configureClient({ locale: () => 'en' })
  await systemConfigQuery.queryFn(context)
  expect(sent).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(10_000)
  configureClient({ locale: () => 'zh' })
  await systemConfigQuery.queryFn(context)
  expect(sent).toHaveBeenCalledTimes(3)
})

test('what the application has asked for already is not asked a second time', async () => {
  await systemConfigQuery.queryFn(context)
  await import('./early')
  expect(sent).toHaveBeenCalledTimes(1)
})

test('an answer that nobody reads is given back', async () => {
  const unread = answer()
  sent.mockResolvedValueOnce(unread)
  await import('./early')
  const cancelled = vi.spyOn(unread.body as ReadableStream, 'cancel')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(cancelled).toHaveBeenCalledTimes(1)
})

test('a call that failed is one without an answer', async () => {
  sent.mockRejectedValueOnce(new TypeError('network'))
  await import('./early')
  await expect(systemConfigQuery.queryFn(context)).rejects.toMatchObject({ code: 0 })
})
