import { useCallback, useEffect, useRef, useState } from 'react'
import { type DocumentDraft, keepDraft, lostTo } from './api'

const WAIT = 800

let last: Promise<unknown> = Promise.resolve()

/** The change that was sent last has arrived, or failed. */
export const arrived = () => last

interface Options {
  body: DocumentDraft
  /** What the server has: the draft, or else what is published. */
  kept: string | null
  onKept: (text: string) => void
  /** Nothing is kept while the lock is not mine, or while a question is open. */
  active: boolean
  /** How often the lock became mine. */
  turns: number
  onLost: (by: string) => void
}

export type Keeping = 'kept' | 'waiting' | 'failed'

/** Keeps the draft on the server shortly after each change; the server forgets one that says what is published. */
export function useServerDraft({ body, kept, onKept, active, turns, onLost }: Options) {
  const [failed, setFailed] = useState<string | null>(null)
  const latest = useRef({ body, onKept, onLost })
  latest.current = { body, onKept, onLost }
  const { text } = body
  const due = active && text !== kept

  const send = useCallback(() => {
    const now = latest.current
    const done = keepDraft(now.body)
    last = done.catch(() => {})
    return done
      .then(() => {
        now.onKept(now.body.text)
        setFailed(null)
      })
      .catch((error: unknown) => {
        setFailed(now.body.text)
        const by = lostTo(error)
        if (by !== null) latest.current.onLost(by)
      })
  }, [])

  useEffect(() => {
    if (!due || failed === text) return
    const timer = setTimeout(() => void send(), WAIT)
    return () => clearTimeout(timer)
  }, [due, failed, text, send])

  // What was refused is sent again once it may be.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that the lock is mine again
  useEffect(() => {
    if (active) setFailed(null)
  }, [active, turns])

  // What was changed just before the designer closes.
  const open = useRef(false)
  open.current = due
  useEffect(
    () => () => {
      if (open.current) void send()
    },
    [send],
  )

  const state: Keeping = !due ? 'kept' : failed === text ? 'failed' : 'waiting'
  return {
    state,
    retry: () => {
      setFailed(null)
      void send()
    },
  }
}
