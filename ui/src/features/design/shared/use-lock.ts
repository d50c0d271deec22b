import { useCallback, useEffect, useRef, useState } from 'react'
import { ownHeaders } from '@/api/client'
import { type DocumentName, type Lock, lockDocument, takeOverDocument, unlockDocument } from './api'
import { arrived } from './use-server-draft'

const RENEW = 60_000

export type LockState =
  | { is: 'asking' }
  | { is: 'mine' }
  /** Somebody else had it when the designer opened. */
  | { is: 'taken'; by: string; mayTake: boolean }
  /** It was mine, and somebody took it over; "" = nobody knows who. */
  | { is: 'lost'; by: string; mayTake: boolean }

/** Sends what has to arrive although the page is going away. */
const releaseNow = (of: DocumentName) =>
  fetch('/api/design/unlock', {
    method: 'POST',
    keepalive: true,
    headers: { ...ownHeaders(), 'Content-Type': 'application/json' },
    body: JSON.stringify(of),
  }).catch(() => {})

interface Options {
  /** The document; the same object as long as it is the same document. */
  of: DocumentName
  /** False where nothing is edited. */
  wanted: boolean
  /** The lock is mine again after it was not: what others did meanwhile has to be looked at. */
  onBack: () => void
}

/** The edit lock of a document: taken when the designer opens, renewed, and released when it closes. */
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
    const who = { by: lock.ownerName ?? '', mayTake: lock.mayTake }
    if (before === 'mine' || before === 'lost') setState({ is: 'lost', ...who })
    else setState({ is: 'taken', ...who })
  }, [])

  useEffect(() => {
    if (!wanted) return
    let over = false
    const ask = () =>
      lockDocument(of)
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
          .then(() => unlockDocument(of))
          .catch(() => {})
    }
  }, [of, wanted, answered])

  const lose = useCallback((by: string) => setState({ is: 'lost', by, mayTake: true }), [])
  const takeOver = useCallback(() => takeOverDocument(of).then(answered), [of, answered])
  /** Takes it where it has become free. */
  const retry = useCallback(() => lockDocument(of).then(answered), [of, answered])
  return { state, mine: state.is === 'mine', lose, takeOver, retry }
}
