import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { ApiError, post } from '@/api/client'
import { newToken } from '@/lib/token'
import { readUnsent, removeUnsent, unsentKey, writeUnsent } from '@/lib/unsaved-store'
import { useMe } from './me'

/** A call that waits for the network: its token makes a repeat return the first answer. */
export interface OutboxEntry {
  token: string
  path: string
  body: Record<string, unknown>
  /** What people call it. */
  title: string
  at: number
  /** Why the server did not take it; somebody has to decide. */
  refused?: string
  /** What the page needs to go on with it. */
  more?: unknown
}

const AGAIN = 20_000

const listeners = new Set<() => void>()
let cached: { key: string; text: string; entries: OutboxEntry[] } | null = null
const EMPTY: OutboxEntry[] = []

function read(key: string): OutboxEntry[] {
  const found = readUnsent(key)?.value
  const text = JSON.stringify(found ?? [])
  if (cached?.key !== key || cached.text !== text)
    cached = { key, text, entries: Array.isArray(found) ? (found as OutboxEntry[]) : EMPTY }
  return cached.entries
}

/** Writes and reports whether it was kept. */
function write(key: string, entries: OutboxEntry[]): boolean {
  const kept = entries.length === 0 || writeUnsent(key, entries)
  if (entries.length === 0) removeUnsent(key)
  for (const tell of listeners) tell()
  return kept
}

/** Whether the way to the server failed, and not the server's mind. */
export const isOffline = (error: unknown) => error instanceof ApiError && (error.code === 0 || error.status >= 502)

export { newToken }

/**
 * Calls that are sent when there is a network: kept in this browser for the person who is signed in, sent again with the same clientToken until the
 * server answers. `name` tells the outboxes of packs apart; `prepare` makes of an entry what is sent, such as the files that go with it, and refuses
 * it by an error; `sent` is told of what the server took.
 */
export function useOutbox(
  name: string,
  prepare?: (entry: OutboxEntry) => Promise<Record<string, unknown>>,
  sent?: (entry: OutboxEntry) => void,
) {
  const me = useMe()
  const client = useQueryClient()
  const key = me ? unsentKey(me.id, ['outbox', name]) : ''
  const entries = useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => (key ? read(key) : EMPTY),
  )
  const sending = useRef(false)
  const preparing = useRef(prepare)
  const taken = useRef(sent)
  useEffect(() => {
    preparing.current = prepare
    taken.current = sent
  })
  const flush = useCallback(async () => {
    if (!key || sending.current) return
    sending.current = true
    try {
      for (const entry of read(key).filter(({ refused }) => !refused)) {
        try {
          const body = (await preparing.current?.(entry)) ?? entry.body
          await post(entry.path as never, { ...body, clientToken: entry.token } as never)
          write(
            key,
            read(key).filter(({ token }) => token !== entry.token),
          )
          taken.current?.(entry)
          void client.invalidateQueries({ queryKey: [name] })
        } catch (error) {
          if (isOffline(error)) return
          const why = error instanceof Error ? error.message : String(error)
          write(
            key,
            read(key).map((one) => (one.token === entry.token ? { ...one, refused: why } : one)),
          )
        }
      }
    } finally {
      sending.current = false
    }
  }, [key, name, client])
  const waiting = entries.some(({ refused }) => !refused)
  useEffect(() => {
    if (!waiting) return
    const timer = setInterval(() => void flush(), AGAIN)
    const now = () => void flush()
    if (navigator.onLine) now() // a page that opens with something that waits does not wait longer
    window.addEventListener('online', now)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', now)
    }
  }, [waiting, flush])
  return {
    entries,
    flush,
    /** Keeps a call for later; false when this browser could not. */
    keep: (entry: OutboxEntry) =>
      key ? write(key, [...read(key).filter((o) => o.token !== entry.token), entry]) : false,
    /** Gives what was typed back to a page's `useKept`, so that somebody goes on with it. */
    putBack: (place: string[], value: unknown) => key && me && writeUnsent(unsentKey(me.id, ['page', ...place]), value),
    drop: (token: string) =>
      void write(
        key,
        read(key).filter((one) => one.token !== token),
      ),
  }
}
