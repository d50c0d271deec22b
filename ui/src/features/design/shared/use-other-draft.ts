import { useRef, useState } from 'react'
import { useFeedback } from '@/sdk/feedback'
import { type DocumentName, readDocument } from './api'
import { readJson, sameContent, writeJson } from './json'
import { useLock } from './use-lock'

interface Options<T> {
  of: DocumentName
  draws: (value: unknown) => value is T
  /** The text that the server has; null: none. */
  kept: string | null
  /** There are changes that the server does not have. */
  unsent: boolean
  history: { reset: (document: T) => void }
  /** There is room to edit. */
  wanted: boolean
  onKept: (text: string) => void
}

/** The edit lock, and what somebody else made of the draft while it was theirs. */
export function useOtherDraft<T>({ of, draws, kept, unsent, history, wanted, onKept }: Options<T>) {
  const say = useFeedback()
  const [other, setOther] = useState<{ document: T; by: string } | null>(null)
  const latest = useRef({ kept, unsent })
  latest.current = { kept, unsent }
  const back = () =>
    readDocument(of)
      .then((fresh) => {
        const text = fresh.draft?.text ?? (fresh.new ? null : fresh.text)
        if (text === null) return
        const document = readJson(text)
        // Nobody has changed it: what waits here goes on.
        const { kept: before } = latest.current
        if (!draws(document) || (before !== null && sameContent(document, readJson(before)))) return
        onKept(writeJson(document))
        if (latest.current.unsent) setOther({ document, by: fresh.draft?.byName ?? '' })
        else history.reset(document)
      })
      .catch(say.error)
  const lock = useLock({ of, wanted, onBack: () => void back() })
  return { lock, other, answered: () => setOther(null) }
}
