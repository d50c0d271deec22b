import { useCallback, useEffect, useRef, useState } from 'react'
import { readUnsent, removeUnsent, unsentKey, writeUnsent } from '@/lib/unsaved-store'
import { useMe } from './me'

/** Typing that pauses this long is written down. */
const PAUSE = 400

/**
 * What somebody types into a page of a pack and has not saved: kept in this browser for that person, through a reload and a lost network. `place`
 * tells the pages apart. What waits there is `found`; undefined until it is known who asks.
 */
export function useKept<T>(place: string[]): {
  found: T | null | undefined
  keep: (value: T) => void
  forget: () => void
} {
  const me = useMe()
  const key = me ? unsentKey(me.id, ['page', ...place]) : ''
  const [read, setRead] = useState<{ key: string; found: T | null } | null>(null)
  if (key && read?.key !== key) setRead({ key, found: (readUnsent(key)?.value as T | undefined) ?? null })
  const due = useRef<(() => void) | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const write = useCallback(() => {
    clearTimeout(timer.current)
    due.current?.()
    due.current = null
  }, [])
  useEffect(() => {
    window.addEventListener('pagehide', write)
    return () => {
      window.removeEventListener('pagehide', write)
      write()
    }
  }, [write])
  return {
    found: read?.key === key && key ? read.found : undefined,
    keep: (value) => {
      due.current = () => writeUnsent(key, value)
      clearTimeout(timer.current)
      timer.current = setTimeout(write, PAUSE)
    },
    forget: () => {
      clearTimeout(timer.current)
      due.current = null
      removeUnsent(key)
    },
  }
}
