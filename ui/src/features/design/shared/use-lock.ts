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
  const [state, draw] = useState<LockState>({ is: 'asking' })
  /** What the state will be when it is drawn. */
  const is = useRef(state.is)
  const latest = useRef({ state, onBack })
  latest.current = { state, onBack }
  const setState = useCallback((next: LockState) => {
    is.current = next.is
    draw(next)
  }, [])
  const until = useRef(0)
  const had = useRef(false)
  /** How often it became mine. */
  const [turns, setTurns] = useState(0)

  const answered = useCallback(
    (lock: Lock) => {
      const before = is.current
      if (lock.mine) {
        const lapsed = before === 'mine' && Date.now() > until.current
        until.current = Date.now() + lock.expireIn * 1000
        const back = lapsed || before === 'lost' || before === 'taken' || (before === 'asking' && had.current)
        had.current = true
        if (before !== 'mine') {
          setState({ is: 'mine' })
          setTurns((n) => n + 1)
        }
        if (back) latest.current.onBack()
        return
      }
      const who = { by: lock.ownerName ?? '', mayTake: lock.mayTake }
      if (before !== 'taken' && had.current) setState({ is: 'lost', ...who })
      else setState({ is: 'taken', ...who })
    },
    [setState],
  )

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

  /** A change was refused. Where nobody has the lock, another tab of mine has given it back, or it is over: it is taken again. */
  const lose = useCallback(
    (by: string) => {
      if (by) return setState({ is: 'lost', by, mayTake: true })
      setState({ is: 'asking' })
      lockDocument(of)
        .then(answered)
        .catch(() => setState({ is: 'lost', by, mayTake: true }))
    },
    [of, answered, setState],
  )
  const takeOver = useCallback(() => takeOverDocument(of).then(answered), [of, answered])
  /** Takes it where it has become free. */
  const retry = useCallback(() => lockDocument(of).then(answered), [of, answered])
  return { state, mine: state.is === 'mine', turns, lose, takeOver, retry }
}
