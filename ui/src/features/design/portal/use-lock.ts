import { useCallback, useEffect, useRef, useState } from 'react'
import { ownHeaders } from '@/api/client'
import { type Lock, lockPortal, type PortalName, takeOverPortal, unlockPortal } from './api'
import { arrived } from './use-server-draft'

const RENEW = 60_000

export type LockState =
  | { is: 'asking' }
  | { is: 'mine' }
  /** Somebody else had it when the designer opened. */
  | { is: 'taken'; by: string }
  /** It was mine, and somebody took it over; "" = nobody knows who. */
  | { is: 'lost'; by: string }

/** Sends what has to arrive although the page is going away. */
const releaseNow = (of: PortalName) =>
  fetch('/api/portal/page/unlock', {
    method: 'POST',
    keepalive: true,
    headers: { ...ownHeaders(), 'Content-Type': 'application/json' },
    body: JSON.stringify(of),
  }).catch(() => {})

interface Options {
  /** The page; the same object as long as it is the same page. */
  of: PortalName
  /** False where nothing is edited: on a phone. */
  wanted: boolean
  /** The lock is mine again after it was not: what others did meanwhile has to be looked at. */
  onBack: () => void
}

/** The edit lock of a page: taken when the designer opens, renewed, and released when it closes. */
export function useLock({ of, wanted, onBack }: Options) {
  const [state, setState] = useState<LockState>({ is: 'asking' })
  const latest = useRef({ state, onBack })
  latest.current = { state, onBack }
  const until = useRef(0)

  const answered = useCallback((lock: Lock) => {
    const before = latest.current.state.is
    if (lock.mine) {
      const lapsed = before === 'mine' && Date.now() > until.current
      until.current = Date.now() + lock.expireIn * 1000
      if (before !== 'mine') setState({ is: 'mine' })
      if (lapsed || before === 'lost' || before === 'taken') latest.current.onBack()
      return
    }
    const by = lock.ownerName ?? ''
    if (before === 'mine' || before === 'lost') setState({ is: 'lost', by })
    else setState({ is: 'taken', by })
  }, [])

  useEffect(() => {
    if (!wanted) return
    let over = false
    const ask = () =>
      lockPortal(of)
        .then((lock) => !over && answered(lock))
        .catch(() => {}) // the next change is refused, and says so
    void ask()
    const timer = setInterval(() => latest.current.state.is === 'mine' && void ask(), RENEW)
    const away = () => latest.current.state.is === 'mine' && void releaseNow(of)
    window.addEventListener('pagehide', away)
    return () => {
      over = true
      clearInterval(timer)
      window.removeEventListener('pagehide', away)
      if (latest.current.state.is === 'mine')
        void Promise.resolve()
          .then(arrived) // which needs the lock
          .then(() => unlockPortal(of))
          .catch(() => {})
    }
  }, [of, wanted, answered])

  const lose = useCallback((by: string) => setState({ is: 'lost', by }), [])
  const takeOver = useCallback(() => takeOverPortal(of).then(answered), [of, answered])
  /** Takes it where it has become free. */
  const retry = useCallback(() => lockPortal(of).then(answered), [of, answered])
  return { state, mine: state.is === 'mine', lose, takeOver, retry }
}
