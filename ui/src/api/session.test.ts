import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refuse } from '@/testing/fake-server'

const PATH = '/api/login/Authentication/get_refresh_token'
const START = new Date('2026-11-20T08:00:00Z').getTime()
const LIFE_S = 1200
/** What a browser keeps of a session that holds for so many seconds more and is refreshed after others. */
const keep = (exp: number, refreshAt: number) =>
  localStorage.setItem('expireTime', JSON.stringify({ exp: START / 1000 + exp, refreshAt: START / 1000 + refreshAt }))
const kept = () => JSON.parse(localStorage.getItem('expireTime') ?? 'null') as { exp: number; refreshAt: number } | null
const seconds = (n: number) => vi.advanceTimersByTimeAsync(n * 1000)

let server: ReturnType<typeof fakeServer>
let answer: () => unknown
beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers({ now: START })
  localStorage.clear()
  answer = () => ({ exp: Math.floor(Date.now() / 1000) + LIFE_S })
  server = fakeServer({ [PATH]: () => answer(), '/api/login/logout': null })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The session of a page that has just been loaded. */
async function load() {
  const session = await import('./session')
  session.startSession(() => 'zh')
  return session
}

describe('a session', () => {
  it('is refreshed after a quarter of its lifetime, and so on', async () => {
    const { keepSession } = await load()
    keepSession({ exp: START / 1000 + LIFE_S })
    await seconds(LIFE_S / 4 - 1)
    expect(server.calls).toHaveLength(0)
    await seconds(2)
    expect(server.of(PATH)).toHaveLength(1)
    expect(kept()?.exp).toBe(START / 1000 + LIFE_S / 4 + LIFE_S)
    await seconds(LIFE_S / 4 + 1)
    expect(server.of(PATH)).toHaveLength(2)
  })

  it('counts on where it was when the page was loaded again', async () => {
    keep(600, 40)
    await load()
    await seconds(39)
    expect(server.calls).toHaveLength(0)
    await seconds(2)
    expect(server.of(PATH)).toHaveLength(1)
  })

  it('is refreshed at once where its time passed while no page was open', async () => {
    keep(600, -100)
    await load()
    await seconds(1)
    expect(server.of(PATH)).toHaveLength(1)
  })

  it('shares the refresh with all who ask, and with the tab that came first', async () => {
    keep(600, 500)
    const { refresh } = await load()
    const seen = kept()?.refreshAt
    expect(await Promise.all([refresh(seen), refresh(seen)])).toEqual([true, true])
    expect(server.of(PATH)).toHaveLength(1)
    expect(await refresh(seen)).toBe(true) // another tab has done it since
    expect(server.of(PATH)).toHaveLength(1)
  })

  it('is over where the server says so, and not where it is away', async () => {
    keep(600, 10)
    const { useSession } = await load()
    answer = () => refuse(503, 999998, 'away')
    await seconds(11)
    expect(server.of(PATH)).toHaveLength(1)
    expect(useSession.getState().status).toBe('unknown')
    answer = () => refuse(401, 100012, 'ended')
    const { refresh } = await import('./session')
    expect(await refresh(kept()?.refreshAt)).toBe(false)
  })

  it('goes from the browser when its person signs out', async () => {
    keep(600, 500)
    const { signOut, useSession } = await load()
    await signOut()
    expect(kept()).toBeNull()
    expect(useSession.getState().status).toBe('out')
    await seconds(1000)
    expect(server.of(PATH)).toHaveLength(0)
  })
})
