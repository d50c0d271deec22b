import { useCallback, useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { useFeedback } from '@/sdk/feedback'
import { useMe } from '@/sdk/me'
import { useText } from '@/sdk/use-text'
import { type Checked, type DocumentDraft, discardDraft, lostTo, nameOf, publishDocument } from './api'
import { useHistory } from './history'
import { writeJson } from './json'
import type { Beginning } from './open-document'
import { useChecks } from './use-checks'
import { useKept } from './use-kept'
import { useLeave } from './use-leave'
import { useOtherDraft } from './use-other-draft'
import { useOwnAddress } from './use-own-address'
import { useServerDraft } from './use-server-draft'

interface Options<T, C extends Checked> extends Beginning<T> {
  draws: (value: unknown) => value is T
  /** What the compiler says of a draft, and what the canvas shows of it. */
  check: (draft: DocumentDraft) => Promise<C>
  /** What else the answer of check depends on. */
  checkOf?: unknown
  /** There is room to edit. */
  editable?: boolean
  /** The address of a document of this kind that is published. */
  address: string
}

/**
 * A document in its designer, whatever its kind: its changes and how they are undone, the edit lock, the draft on the server and what only
 * this browser has, what the compiler says, and publication.
 */
export function useDesigner<T, C extends Checked>(options: Options<T, C>) {
  const { opened, first, published, draws, check, checkOf, address } = options
  const t = useText()
  const say = useFeedback()
  const me = useMe()
  const { pathname } = useLocation()
  const editable = (options.editable ?? true) && !opened.readOnly
  const [design, setDesign] = useState(opened)
  const [before, setBefore] = useState(published)
  const [kept, setKept] = useState(options.kept)
  const [busy, setBusy] = useState(false)
  const history = useHistory(first)
  const of = useMemo(() => nameOf(opened.kind, opened.code, opened.appCode), [opened.kind, opened.code, opened.appCode])
  const text = useMemo(() => writeJson(history.now), [history.now])
  const publishedText = useMemo(() => (before === null ? null : writeJson(before)), [before])
  const changed = text !== publishedText
  const fresh = before === null
  const body: DocumentDraft = { ...of, text, seen: design.seen, new: fresh }
  const unsent = changed && text !== kept
  const draft = useKept({
    user: me?.id,
    place: [`${of.kind}-design`, of.appCode ?? '', of.code],
    text,
    changed: unsent,
    draws,
  })
  useLeave(unsent, pathname)
  useOwnAddress(address, published === null && !fresh && !changed)

  const { lock, other, answered } = useOtherDraft({
    of,
    draws,
    kept,
    unsent,
    history,
    wanted: editable,
    onKept: setKept,
  })
  // The person who took the lock over may have published: the answer says so.
  const { answer, checking } = useChecks(history.now, JSON.stringify([body, checkOf, lock.state.is === 'lost']), () =>
    opened.readOnly ? Promise.reject(new Error('a document that is only read')) : check(body),
  )
  const asked = other !== null || draft.found !== null || draft.other !== null
  // Until the lock is answered, what is free is taken to be mine.
  const free = !opened.lock.locked || opened.lock.mine
  const readOnly = !editable || other !== null || !(lock.mine || (lock.state.is === 'asking' && free))
  const server = useServerDraft({
    body,
    kept,
    onKept: setKept,
    active: lock.mine && !asked,
    turns: lock.turns,
    onLost: lock.lose,
  })
  const found = answer?.check ?? null

  const publish = () => {
    setBusy(true)
    return publishDocument(body)
      .then((done) => {
        draft.forget()
        setKept(body.text)
        setDesign({ ...design, ...done, new: false, older: [] })
        setBefore(history.now)
        say.success(t('design.published'))
      })
      .catch((error: unknown) => {
        const by = lostTo(error)
        if (by !== null) lock.lose(by)
        const refused = error instanceof ApiError && error.code === ERROR.PublishConflict ? error.data : null
        const who = (refused as Partial<Checked> | null)?.changedBy
        say.error(who ? t('design.conflict', { name: who }) : error)
      })
      .finally(() => setBusy(false))
  }
  const discard = () =>
    discardDraft(of)
      .then(() => {
        if (before === null) return
        draft.forget()
        setKept(publishedText)
        setDesign((now) => ({ ...now, older: [] }))
        history.reset(before)
        say.success(t('desk.discarded'))
      })
      .catch((error: unknown) => {
        const by = lostTo(error)
        if (by !== null) lock.lose(by)
        say.error(error)
      })
  const { set, undo, redo } = history
  const change = useCallback(
    (next: T, step: string | null = null) => {
      if (!readOnly) set(next, step)
    },
    [readOnly, set],
  )
  return {
    of,
    design,
    before,
    now: history.now,
    /** Changes the document; changes of the same `step` within a moment are one. Nothing is changed by readers. */
    change,
    history: {
      undo: () => !readOnly && undo(),
      redo: () => !readOnly && redo(),
      canUndo: history.canUndo && !readOnly,
      canRedo: history.canRedo && !readOnly,
    },
    changed,
    body,
    /** There are changes that only this browser has. */
    unsent,
    /** The last answer of the compiler, and the document that it is about. */
    check: found,
    checked: answer?.document ?? null,
    checking: checking && !opened.readOnly,
    draft,
    /** Who published meanwhile, or ""; null: nobody did. */
    changedBy: found !== null && found.seen !== design.seen && !fresh ? found.changedBy : null,
    lock,
    /** What another person made of the draft, while there are changes that only this browser has. */
    other,
    answered,
    takeTheirs: () => {
      if (other) set(other.document)
      answered()
    },
    /** The document may only be looked at: there is no room, or another person edits it. */
    readOnly,
    editable,
    /** Whether the server has the draft; null: there is none to keep. */
    keeping: changed && lock.mine && !asked ? server : null,
    busy,
    /** What only this browser has is kept elsewhere. */
    letGo: () => {
      draft.forget()
      setKept(text)
    },
    publish,
    discard,
  }
}

export type DesignerOf<T, C extends Checked> = ReturnType<typeof useDesigner<T, C>>
