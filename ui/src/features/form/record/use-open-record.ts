import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { FormLoad } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { noun } from '@/lib/noun'
import { usePageTitle } from '@/lib/page-title'
import { loadWidgets } from '@/registry/properties'
import type { OpenedDraft } from '@/sdk/drafts'
import type { FormHandle, FormSender } from '@/sdk/form-sender'
import { useStart } from '@/sdk/use-start'
import { useText } from '@/sdk/use-text'
import { changes, needsOf } from '../api'
import { useLayout } from '../fields/use-layout'
import { useFormScript } from '../scripts/use-form-script'
import { faultyFields, useFormFaults } from '../submit/form-faults'
import { useAskedPlace } from '../submit/use-asked-place'
import { useFocusFault } from '../submit/use-focus-fault'
import { useSaveKey } from '../submit/use-save-key'
import { useSubmit } from '../submit/use-submit'
import { useWaiting } from '../submit/use-waiting'
import { useDraft } from '../unsaved/use-draft'
import { useUnsaved } from '../unsaved/use-unsaved'
import { useAskWhy } from '../why/use-ask-why'
import { useSteady, useSteadyScript } from './record-frame'
import type { RecordPageProps } from './record-page'
import { useAmend } from './use-amend'
import { useBarState } from './use-bar-state'
import { useLeaving } from './use-leaving'
import { type NewDefinition, useNewDefinition } from './use-new-definition'
import { useRecord } from './use-record'
import { useRemove } from './use-remove'

export interface OpenRecordProps extends RecordPageProps {
  load: FormLoad
  /** What is drawn of it. */
  page?: RefObject<HTMLDivElement | null>
  news: NewDefinition
  draft: OpenedDraft | undefined
  editing: boolean
  setEditing: (editing: boolean) => void
  /** What sends the form in place of its own bar. */
  sender?: FormSender
}

/** What a save is for: with `saveAndNew` another new record follows, with `submit` the workflow of the form starts. */
export type Goal = 'save' | 'saveAndNew' | 'submit'

/** A record that has come, with its form: what is typed in it, and what is done with it. It draws nothing. */
export function useOpenRecord({ load, news, editing, setEditing, sender, ...props }: OpenRecordProps) {
  const { schemaCode, onClose, onChanged, onDirty, related } = props
  const t = useText()
  const locale = useLocale()
  const { message } = App.useApp()
  const client = useQueryClient()
  const form = useSubmit()
  const ownPage = useRef<HTMLDivElement>(null)
  const page = props.page ?? ownPage
  /** What saving goes on with. */
  const goal = useRef<Goal>('save')
  const saved = useRef((_id: string, _added: boolean) => {})
  const isNew = load.id === null
  const modelName = localName({ name: load.form.modelName, name_i18n: load.form.modelName_i18n }, locale)
  const title =
    sender?.title ?? (isNew ? t('form.newRecord', { name: noun(load.form, 1, locale) }) : load.name || modelName)
  usePageTitle(title)
  useEffect(() => {
    if (changes(load)) loadWidgets(needsOf(load).wires ?? [])
  }, [load])

  const record = useRecord(
    load,
    (id, added) => saved.current(id, added),
    sender && (({ version = null, data }) => sender.send({ version, data })),
    sender?.reload,
  )
  const { found, note } = useFormFaults(editing)
  const { sheetCode } = load.form
  const { copyFrom, relation } = props
  const own = sender ? `${sheetCode}/${sender.place}` : sheetCode
  const address = { schemaCode, sheetCode: own, objectId: load.id ?? undefined, copyFrom, relation }
  const sends = sender ? sender.editing : changes(load)
  const unsent = useUnsaved({ address, load, record, editing, sends })
  const draft = useDraft(load, record, props.draft, sender?.workflowCode)
  const askWhy = useAskWhy(load, record)
  const wait = useWaiting()
  const amend = useAmend(load, record)
  const [typing, setTyping] = useState(false)
  const changed = typing || (!draft.kept && (record.dirty || wait.any))
  const unsaved = ((editing && changed) || sender?.dirty === true) && !record.saving.isPending
  const toRead = () => setEditing(false)
  const { leave, kept } = useLeaving({
    unsaved,
    isNew,
    onDirty,
    discard: unsent.forget,
    reset: record.reset,
    toRead,
    close: onClose,
  })
  const focus = useFocusFault(page, record)
  const place = useAskedPlace(page)
  /** What was to follow a save that failed follows no later one. */
  const failed = () => {
    goal.current = 'save'
  }
  const focusFault = (codes: string[]) => {
    failed()
    focus(codes)
  }
  const script = useFormScript({
    load,
    record,
    editing,
    edit: () => setEditing(true),
    save: () => save('save'),
    refresh: () => void (editing || client.invalidateQueries({ queryKey: ['record', schemaCode] })),
    close: () => (editing ? leave() : onClose()),
    onFaults: focusFault,
  })
  const start = useStart(load.form.schemaCode, load.form.startWorkflowCode)
  const submitted = async (id: string, added: boolean) => {
    if ((await start(id, added)) === 'asked') return
    onChanged(id)
    if (!added) toRead()
  }
  saved.current = (id, added) => {
    if (!sender && goal.current !== 'submit') void message.success(t('form.saved'))
    unsent.forget()
    draft.done()
    kept()
    onDirty?.(false)
    void script.done('save', { id }).then(() => {
      if (sender) return sender.onSent()
      if (goal.current === 'submit') return void submitted(id, added)
      onChanged(added && goal.current === 'saveAndNew' ? '' : id)
      if (!added) toRead() // a record that was added is opened anew, in read mode
    })
  }
  const remove = useRemove(load, title, async () => {
    unsent.drop()
    client.removeQueries({ queryKey: ['record', schemaCode] })
    await script.done('delete', { id: load.id })
    onChanged(null)
  })
  const save = (then: Goal) => {
    if (wait.mustWait()) return
    goal.current = then
    form.submit()
  }
  const same = !isNew && !record.dirty && !typing && !wait.any
  useSaveKey(editing, () => (sender ? sender.onSaveKey?.() : save('save')))
  const acts = useSteady({
    edit: () => setEditing(true),
    remove: () => void remove(),
    leave,
    keep: () => {
      if (wait.mustWait()) return
      void draft.keep().then(
        (all) => all && unsent.forget(),
        () => {},
      )
    },
    save: () => save('save'),
    saveAndNew: () => save('saveAndNew'),
    start: () =>
      void script.pressed('submit', () => (load.id && (same || !editing) ? submitted(load.id, false) : save('submit'))),
    submit: () => {
      if (wait.mustWait()) return failed()
      void script.saved(() => amend.first(() => record.saving.mutate(undefined, { onError: failed }), failed))
    },
  })
  const definition = useNewDefinition({
    news,
    load,
    base: record.base,
    changes: record.changes,
    busy: wait.waiting > 0 || record.saving.isPending || record.conflict !== null,
    change: record.change,
  })
  const faults = faultyFields(found, script.record.extraErrors)
  const state = useBarState({ saving: record.saving, faults, waiting: wait.waiting, unsaved })
  return {
    ...{ load, record, script, unsent, draft, acts, form, page, amend },
    ...{ editing, isNew, title, modelName, askWhy, definition, found, note, setTyping, focusFault, place, state },
    hold: wait.hold,
    layout: useLayout(script.load, script.record, related),
    /** What the head's buttons need of the script, the same while people type. */
    buttons: useSteadyScript(script),
    saving: record.saving.isPending ? goal.current : null,
    /** Saving has nothing to do. */
    idle: script.busy || same,
    handle: {
      version: record.version,
      data: record.changes,
      state,
      sending: record.saving.isPending || script.busy,
      keep: isNew ? { run: acts.keep, going: draft.keeping, done: !typing && (!record.dirty || draft.kept) } : null,
      send: (checked: boolean) => (editing ? form.submit(!checked) : acts.submit()),
    } satisfies FormHandle,
    /** All that was typed is in a draft. */
    kept: !typing && (!record.dirty || draft.kept),
  }
}

export type OpenRecordController = ReturnType<typeof useOpenRecord>
