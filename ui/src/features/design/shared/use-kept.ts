import { useEffect, useRef, useState } from 'react'
import { readUnsent, removeUnsent, unsentKey, writeUnsent } from '@/lib/unsaved-store'
import { readJson } from './json'

interface Options<T> {
  user: string | undefined
  /** What is edited, as parts of the name that it is kept under in this browser. */
  place: string[]
  text: string
  /** The server does not have the text. */
  changed: boolean
  /** Whether the editor can draw a document. */
  draws: (value: unknown) => value is T
}

interface Draft<T> {
  text: string
  document: T
}

/** What this browser has; null: nothing that can be drawn. */
function read<T>(key: string, draws: Options<T>['draws']): Draft<T> | null {
  const text = (readUnsent(key)?.value as { text?: unknown } | undefined)?.text
  if (typeof text !== 'string') return null
  try {
    const document = readJson(text)
    return draws(document) ? { text, document } : null
  } catch {
    return null
  }
}

/**
 * Changes that the server does not have wait in this browser. `found` is what an earlier visit left, `other` what another tab has made of
 * the draft meanwhile: until it is answered, this tab keeps nothing.
 */
export function useKept<T>({ user, place, text, changed, draws }: Options<T>) {
  const key = unsentKey(user ?? '', place)
  const [found, setFound] = useState<T | null>(() => {
    const draft = user ? read(key, draws) : null
    return draft && draft.text !== text ? draft.document : null
  })
  const [other, setOther] = useState<T | null>(null)
  const now = useRef({ text, draws })
  now.current = { text, draws }
  useEffect(() => {
    if (!user) return
    const listen = (event: StorageEvent) => {
      if (event.key !== key || event.newValue === null) return
      const draft = read(key, now.current.draws)
      setOther(draft && draft.text !== now.current.text ? draft.document : null)
    }
    window.addEventListener('storage', listen)
    return () => window.removeEventListener('storage', listen)
  }, [user, key])
  useEffect(() => {
    if (!user || found !== null || other !== null) return
    if (changed) writeUnsent(key, { text })
    else removeUnsent(key)
  }, [user, key, text, changed, found, other])
  const take = () => {
    setFound(null)
    setOther(null)
  }
  return {
    found,
    other,
    /** The draft that was found, or the other tab's, was taken over. */
    take,
    /** It is not wanted, or it was published. */
    forget: () => {
      removeUnsent(key)
      take()
    },
  }
}
