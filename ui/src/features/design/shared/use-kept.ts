import { useEffect, useRef, useState } from 'react'
import { readUnsent, removeUnsent, unsentKey, writeUnsent } from '@/lib/unsaved-store'
import { readJson } from './json'

interface Options<T> {
  user: string | undefined
  /** What is edited, as parts of the name that it is kept under. */
  place: string[]
  text: string
  changed: boolean
  fresh: boolean
  /** Whether the editor can draw a document. */
  draws: (value: unknown) => value is T
}

/** The draft of a place, if it can be drawn. */
function draftIn<T>(key: string, draws: (value: unknown) => value is T): { text: string; document: T } | null {
  const value = readUnsent(key)?.value as { text?: unknown } | undefined
  if (typeof value?.text !== 'string') return null
  try {
    const document = readJson(value.text)
    return draws(document) ? { text: value.text, document } : null
  } catch {
    return null
  }
}

/**
 * Changes wait in this browser until they are published. `found` is the draft of an earlier visit, `other` what another tab has made of the
 * draft meanwhile: until it is answered, this tab keeps nothing.
 */
export function useKept<T>({ user, place, text, changed, fresh, draws }: Options<T>) {
  const key = unsentKey(user ?? '', place)
  const [found, setFound] = useState<T | null>(() => {
    const draft = fresh || !user ? null : draftIn(key, draws)
    return draft && draft.text !== text ? draft.document : null
  })
  const [other, setOther] = useState<T | null>(null)
  const latest = useRef({ text, draws })
  latest.current = { text, draws }
  useEffect(() => {
    if (!user) return
    const listen = (event: StorageEvent) => {
      if (event.key !== key || event.newValue === null) return
      const draft = draftIn(key, latest.current.draws)
      setOther(draft && draft.text !== latest.current.text ? draft.document : null)
    }
    window.addEventListener('storage', listen)
    return () => window.removeEventListener('storage', listen)
  }, [user, key])
  useEffect(() => {
    if (!user || found || other) return
    if (changed) writeUnsent(key, { text })
    else removeUnsent(key)
  }, [user, key, text, changed, found, other])
  return {
    found,
    other,
    /** The draft that was found, or the other tab's, was taken over. */
    take: () => {
      setFound(null)
      setOther(null)
    },
    forget: () => {
      removeUnsent(key)
      setFound(null)
      setOther(null)
    },
  }
}
