import { useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { useFeedback } from '@/sdk/feedback'
import { useMe } from '@/sdk/me'
import { useText } from '@/sdk/use-text'
import { useHistory } from './history'
import { writeJson } from './json'
import type { Diagnostic } from './problems'
import { useChecks } from './use-checks'
import { useKept } from './use-kept'
import { useLeave } from './use-leave'
import { useOwnAddress } from './use-own-address'

/** What the server has of a document when its editor opens. */
interface Opened {
  appCode: string | null
  seen: string
  /** What the reader has made of it, or of new ones, and not published. */
  drafts?: { code: string; text: string; time: string }[]
}

/** A document on its way to publication. */
export interface DocumentDraft {
  text: string
  /** Digest of what the author began with. */
  seen: string
  /** No document has the code yet. */
  new: boolean
}

/** Somebody who has a draft of the document too. */
export interface Other {
  name: string
  time: string
}

const NOBODY: Other[] = []

interface Check {
  diagnostics: Diagnostic[]
  seen: string
  changedBy: string
  others?: Other[]
}

interface Options<T, O extends Opened, C extends Check, P> {
  /** First part of the address of its editor; drafts are kept under it. */
  kind: 'workflow-design' | 'print-design' | 'portal-design'
  code: string
  opened: O
  first: T
  /** What is published; null: it is new. */
  published: T | null
  draws: (value: unknown) => value is T
  check: (draft: DocumentDraft, design: O) => Promise<C>
  /** What else the answer of check depends on. */
  checkOf?: unknown
  publish: (draft: DocumentDraft, design: O) => Promise<P>
  /** Has the server keep a draft; one without text is forgotten. Without it, `kept` is what the server has. */
  keep?: (draft: DocumentDraft, design: O) => Promise<unknown>
  kept?: string | null
  /** The address of the editor, where it is another than that of its kind, application and code. */
  address?: string
}

/**
 * A document in its editor: its changes and how they are undone, the draft that waits for publication, what the compiler says of it, and its
 * publication.
 */
export function useDocument<T, O extends Opened, C extends Check, P extends { seen: string }>({
  kind,
  code,
  opened,
  first,
  published,
  draws,
  check,
  checkOf,
  publish,
  keep,
  kept = null,
  address,
}: Options<T, O, C, P>) {
  const t = useText()
  const say = useFeedback()
  const { pathname } = useLocation()
  const me = useMe()
  const [design, setDesign] = useState(opened)
  const [before, setBefore] = useState(published)
  const [busy, setBusy] = useState(false)
  const history = useHistory(first)
  const text = useMemo(() => writeJson(history.now), [history.now])
  const publishedText = useMemo(() => (before === null ? null : writeJson(before)), [before])
  const changed = text !== publishedText
  const fresh = before === null
  const body: DocumentDraft = { text, seen: design.seen, new: fresh }
  const { answer, checking } = useChecks(history.now, JSON.stringify([body, checkOf]), () => check(body, design))
  const unsent = changed && text !== kept
  const draft = useKept({
    user: me?.id,
    place: [kind, design.appCode ?? '', code],
    text,
    changed: unsent,
    fresh: fresh && kept === null,
    draws,
    offered: opened.drafts?.find((one) => one.code === code) ?? null,
    keep: (one) => keep?.({ ...body, text: one }, design) ?? Promise.resolve(),
  })
  useLeave(unsent, pathname)
  useOwnAddress(address ?? `/${kind}/${design.appCode}/${code}`, published === null && !fresh && !changed)
  const found = answer?.check ?? null

  const send = () => {
    setBusy(true)
    return publish(body, design)
      .then((done) => {
        draft.published()
        setDesign({ ...design, ...done })
        setBefore(history.now)
        say.success(t('design.published'))
      })
      .catch((error: unknown) => {
        const refused = error instanceof ApiError && error.code === ERROR.PublishConflict ? error.data : null
        const by = (refused as Partial<Check> | null)?.changedBy
        say.error(by ? t('design.conflict', { name: by }) : error)
      })
      .finally(() => setBusy(false))
  }
  return {
    design,
    before,
    history,
    changed,
    /** The document as it is sent, and the text that is published. */
    body,
    publishedText,
    /** There are changes that only this browser has. */
    unsent,
    /** The last answer of the compiler, and the document that it is about. */
    check: found,
    checked: answer?.document ?? null,
    checking,
    draft,
    /** Who published meanwhile, or ""; null: nobody did. */
    changedBy: found !== null && found.seen !== design.seen && !fresh ? found.changedBy : null,
    /** Who have a draft of it too. */
    others: found?.others ?? NOBODY,
    busy,
    /** Publishes what it is now, and says what came of it. */
    publish: send,
  }
}
