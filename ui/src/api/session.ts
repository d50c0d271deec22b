import { create } from 'zustand'
import { clearUnsent } from '@/lib/unsaved-store'
import { ApiError, configureClient, get, post } from './client'
import type { Tokens } from './types'

const KEY = 'expireTime'

interface Schedule {
  /** Unix seconds. */
  exp: number
  refreshAt: number
}

interface SessionState {
  /**
   * "unknown" until the first answer: the cookies cannot be read by scripts. "expired" is the end that nobody asked for:
   * the page stays, and asks for the password again.
   */
  status: 'unknown' | 'in' | 'expired' | 'out'
}

export const useSession = create<SessionState>(() => ({ status: 'unknown' }))

let timer: ReturnType<typeof setTimeout> | undefined
let running: Promise<boolean> | null = null

const now = () => Date.now() / 1000

function readSchedule(): Schedule | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') as Schedule | null
  } catch {
    return null
  }
}

/** Whether somebody has signed in here and the session should still hold; only the server knows. */
export const likelySignedIn = () => (readSchedule()?.exp ?? 0) > now()

function resume() {
  clearTimeout(timer)
  const schedule = readSchedule()
  if (!schedule) return
  const wait = Math.min(Math.max(0, schedule.refreshAt - now()), 2 ** 31 / 1000 - 1)
  timer = setTimeout(refreshInTime, wait * 1000)
}

/** Keeps the session: the next refresh is due after a quarter of the lifetime, in whichever tab gets there first. */
export function keepSession(tokens: Pick<Tokens, 'exp'>) {
  const refreshAt = now() + Math.max(5, (tokens.exp - now()) / 4)
  localStorage.setItem(KEY, JSON.stringify({ exp: tokens.exp, refreshAt } satisfies Schedule))
  useSession.setState({ status: 'in' })
  resume()
}

/** The server does not know the session any more; other tabs find out for themselves. */
function expireSession() {
  clearTimeout(timer)
  useSession.setState({ status: 'expired' })
}

/** Ends the session here and in other tabs; input that was not saved goes with it. */
function dropSession() {
  clearTimeout(timer)
  localStorage.removeItem(KEY)
  useSession.setState({ status: 'out' })
  clearUnsent()
}

/** Which session holds, in all tabs: the time of its next refresh tells it from the ones before. */
const held = () => readSchedule()?.refreshAt

/** Refresh tokens are used once, so tabs take turns; who comes second finds the work done. */
async function oneTab(work: () => Promise<boolean>): Promise<boolean> {
  return navigator.locks ? navigator.locks.request('sluice-refresh', work) : work()
}

async function refreshNow(seen: number | undefined): Promise<boolean> {
  if (held() !== seen) return true
  try {
    keepSession(await get('/api/login/Authentication/get_refresh_token'))
    return true
  } catch (error) {
    // Not over where somebody signed in while the answer was on its way.
    if (error instanceof ApiError && error.status === 401) return held() !== seen
    throw error // no network, or a server too busy to answer: the session is not over, the next call tries again
  }
}

function refreshInTime() {
  refresh(held()).then(
    (good) => good || expireSession(),
    () => {},
  )
}

/** Gets a fresh token; false when the session is over. Calls at the same time share one request. */
export function refresh(seen: number | undefined): Promise<boolean> {
  running ??= oneTab(() => refreshNow(seen)).finally(() => {
    running = null
  })
  return running
}

export async function signOut(): Promise<void> {
  await post('/api/login/logout').catch(() => {})
  dropSession()
}

/** Wires the session into the client. */
export function startSession(locale: () => string) {
  configureClient({ session: held, refresh, expired: expireSession, locale })
  window.addEventListener('storage', (event) => {
    if (event.key !== KEY) return
    const { status } = useSession.getState()
    if (event.newValue === null) {
      useSession.setState({ status: 'out' })
      clearUnsent() // what this tab wrote while the other one signed out
    } else if (status === 'expired') useSession.setState({ status: 'in' })
    resume()
  })
  resume()
}
