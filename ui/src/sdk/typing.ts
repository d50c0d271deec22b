import { createContext, useCallback, useContext, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'

/** Reads the text of a box and passes its value on. False, at once or later: it has none, and the save stops. */
type Read = () => unknown
type Note = (box: string, read: Read | null, code?: string) => void

/** How boxes tell their form that a text in them has not been read yet; null when it has. */
export const TypingContext = createContext<Note>(() => {})

/** The form's side: whether a text waits in any box, and a way to read them all before something is made of the values. */
export function useTypedBoxes() {
  const boxes = useRef(new Map<string, { read: Read; code: string }>())
  const [typing, setTyping] = useState(false)
  const note = useCallback<Note>((box, read, code = '') => {
    if (read) boxes.current.set(box, { read, code })
    else boxes.current.delete(box)
    setTyping(boxes.current.size > 0)
  }, [])
  /** The fields whose boxes block a save; a promise where finding out takes time. */
  const readAll = useCallback((): string[] | Promise<string[]> => {
    const answers = [...boxes.current.values()].map(({ read, code }) => ({ code, answer: read() }))
    const blocked = (all: { code: string; answer: unknown }[]) =>
      all.flatMap(({ code, answer }) => (answer === false ? [code] : []))
    if (!answers.some(({ answer }) => answer instanceof Promise)) return blocked(answers)
    const all = answers.map(async ({ code, answer }) => ({ code, answer: await answer }))
    return Promise.all(all).then(blocked)
  }, [])
  return useMemo(() => ({ typing, note, readAll }), [typing, note, readAll])
}

/** Tells the form that a text waits in a box which keeps it itself. */
export function useUnreadText(waits: boolean, read: Read) {
  const note = useContext(TypingContext)
  const box = useId()
  const latest = useRef(read)
  latest.current = read
  useLayoutEffect(() => {
    if (!waits) return
    note(box, () => latest.current())
    return () => note(box, null)
  }, [waits, note, box])
}

interface TypedText {
  /** The text of the box while nobody types. */
  text: string
  /** The box was left, or Enter pressed, with another text in it. Reports whether the text says something. */
  onRead: (typed: string) => boolean
}

/**
 * The text of a box. While it is typed it belongs to the person: it is read once, when they leave the box or press Enter, and
 * given up with Esc.
 */
export function useTypedText({ text, onRead }: TypedText) {
  const note = useContext(TypingContext)
  const box = useId()
  const [draft, setDraft] = useState<string | null>(null)
  const held = useRef<string | null>(null)
  const now = useRef({ text, onRead })
  now.current = { text, onRead }
  const put = useCallback((next: string | null) => {
    held.current = next
    setDraft(next)
  }, [])
  const read = useCallback((): 'same' | 'read' | 'unread' => {
    const typed = held.current
    if (typed === null) return 'same'
    put(null)
    if (typed === now.current.text) return 'same'
    return now.current.onRead(typed) ? 'read' : 'unread'
  }, [put])
  const typing = draft !== null && draft !== text
  useLayoutEffect(() => {
    if (!typing) return
    note(box, () => void read())
    return () => note(box, null)
  }, [typing, note, box, read])
  return {
    /** The text of the box now. */
    shown: draft ?? text,
    typing,
    type: put,
    read,
    giveUp: useCallback(() => put(null), [put]),
  }
}
