import { useRef, useState } from 'react'
import { useFeedback } from '@/sdk/feedback'
import { readJson, writeJson } from '../shared/json'
import { type PortalName, readDesign } from './api'
import { isPage, type Page } from './page'
import { useLock } from './use-lock'

interface Options {
  of: PortalName
  /** The text that the server has; null: none. */
  kept: string | null
  /** There are changes that the server does not have. */
  unsent: boolean
  history: { reset: (page: Page) => void }
  /** There is room to edit. */
  wanted: boolean
  onKept: (text: string) => void
}

/** The edit lock, and what somebody else made of the draft while it was theirs. */
export function useOtherDraft({ of, kept, unsent, history, wanted, onKept }: Options) {
  const say = useFeedback()
  const [other, setOther] = useState<{ page: Page; by: string } | null>(null)
  const latest = useRef({ kept, unsent })
  latest.current = { kept, unsent }
  const back = () =>
    readDesign(of)
      .then((fresh) => {
        const text = fresh.draft?.text ?? (fresh.new ? null : fresh.text)
        if (text === null) return
        const page = readJson(text)
        // Nobody has changed it: what waits here goes on.
        if (!isPage(page) || writeJson(page) === latest.current.kept) return
        onKept(writeJson(page))
        if (latest.current.unsent) setOther({ page, by: fresh.draft?.byName ?? '' })
        else history.reset(page)
      })
      .catch(say.error)
  const lock = useLock({ of, wanted, onBack: () => void back() })
  return { lock, other, answered: () => setOther(null) }
}
