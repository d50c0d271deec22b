import { useEffect, useRef, useState } from 'react'
import { readUnsent, removeUnsent, unsentKey, writeUnsent } from '@/lib/unsaved-store'
import { readJson } from './json'

/** How long nothing changes until the server keeps the draft. */
const REST = 1500

interface Options<T> {
  user: string | undefined
  /** What is edited, as parts of the name that it is kept under in this browser. */
  place: string[]
  text: string
  changed: boolean
  fresh: boolean
  /** Whether the editor can draw a document. */
  draws: (value: unknown) => value is T
  /** The draft that the server has, of this or another machine. */
  offered: { text: string; time: string } | null
  /** Has the server keep a draft; "" forgets it. */
  keep: (text: string) => Promise<unknown>
}

interface Draft<T> {
  text: string
  document: T
}

/** A text as a draft, if it can be drawn. */
function drawn<T>(text: unknown, draws: (value: unknown) => value is T): Draft<T> | null {
  if (typeof text !== 'string') return null
  try {
    const document = readJson(text)
    return draws(document) ? { text, document } : null
  } catch {
    return null
  }
}

/** The later of what this browser and the server have. */
function latest<T>(key: string, offered: Options<T>['offered'], draws: Options<T>['draws']): Draft<T> | null {
  const own = readUnsent(key)
  const here = drawn((own?.value as { text?: unknown } | undefined)?.text, draws)
  const there = drawn(offered?.text, draws)
  if (!here || !there) return here ?? there
  return (own?.at ?? 0) > Date.parse(offered?.time ?? '') ? here : there
}

/**
 * Changes wait until they are published: in this browser at once, on the server a moment later. `found` is the draft of an earlier visit, `other`
 * what another tab has made of the draft meanwhile: until it is answered, this tab keeps nothing.
 */
export function useKept<T>({ user, place, text, changed, fresh, draws, offered, keep }: Options<T>) {
  const key = unsentKey(user ?? '', place)
  const [found, setFound] = useState<T | null>(() => {
    const draft = fresh ? null : latest(user ? key : '', offered, draws)
    return draft && draft.text !== text ? draft.document : null
  })
  const [other, setOther] = useState<T | null>(null)
  const now = useRef({ text, draws, keep })
  now.current = { text, draws, keep }
  /** What the server has, as far as is known here. */
  const there = useRef(offered?.text ?? '')
  const send = useRef((draft: string) => {
    if (draft === there.current) return
    const before = there.current
    there.current = draft
    now.current.keep(draft).catch(() => {
      there.current = before // the next change tries again; this browser has it meanwhile
    })
  })
  useEffect(() => {
    if (!user) return
    const listen = (event: StorageEvent) => {
      if (event.key !== key || event.newValue === null) return
      const draft = latest(key, null, now.current.draws)
      setOther(draft && draft.text !== now.current.text ? draft.document : null)
    }
    window.addEventListener('storage', listen)
    return () => window.removeEventListener('storage', listen)
  }, [user, key])
  useEffect(() => {
    if (!user || found !== null || other !== null) return
    if (changed) writeUnsent(key, { text })
    else removeUnsent(key)
    const draft = changed ? text : ''
    let sent = false
    const store = () => {
      if (!sent) send.current(draft)
      sent = true
    }
    const timer = setTimeout(store, REST)
    window.addEventListener('pagehide', store)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pagehide', store)
    }
  }, [user, key, text, changed, found, other])
  const done = () => {
    removeUnsent(key)
    setFound(null)
    setOther(null)
  }
  return {
    found,
    other,
    /** The draft that was found, or the other tab's, was taken over. */
    take: () => {
      setFound(null)
      setOther(null)
    },
    /** It was published: the server has forgotten it. */
    published: () => {
      there.current = ''
      done()
    },
    forget: () => {
      send.current('')
      done()
    },
  }
}
