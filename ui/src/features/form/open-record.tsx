import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import type { FormLoad } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { loadChunk } from '@/lib/chunk'
import { localName } from '@/lib/local-name'
import { usePageTitle } from '@/lib/page-title'
import { useOnline } from '@/lib/use-online'
import { loadWidgets } from '@/registry/properties'
import type { OpenedDraft } from '@/sdk/drafts'
import { FormHoldContext, useHolds } from '@/sdk/form-hold'
import { useText } from '@/sdk/use-text'
import styles from './form.module.css'
import { faultyFields, useFormFaults } from './form-faults'
import { Meanwhile } from './meanwhile'
import { ReadForm } from './read-form'
import { RecordForm, type Submit } from './record-form'
import { RecordBar, RecordHead, useSteady, useSteadyScript } from './record-frame'
import type { RecordPageProps } from './record-page'
import { RecordParts } from './record-parts'
import { UndrawnFaults } from './undrawn-faults'
import { UnsentBanner } from './unsent-banner'
import { useDraft } from './use-draft'
import { useFormScript } from './use-form-script'
import { useLayout } from './use-layout'
import { useLeaveGuard } from './use-leave-guard'
import { type NewDefinition, useNewDefinition } from './use-new-definition'
import { useRecord } from './use-record'
import { useRemove } from './use-remove'
import { useSaveKey } from './use-save-key'
import { useUnsent } from './use-unsent'
import { WhyContext } from './why/context'
import { useAskWhy } from './why/use-ask-why'

const Revert = lazy(() => loadChunk(() => import('./life/revert')).then((m) => ({ default: m.Revert })))
const MergeDialog = lazy(() => loadChunk(() => import('./merge-dialog')).then((m) => ({ default: m.MergeDialog })))

interface OpenRecordProps extends RecordPageProps {
  load: FormLoad
  news: NewDefinition
  draft: OpenedDraft | undefined
  editing: boolean
  setEditing: (editing: boolean) => void
}

/** A record that has come, with its form: what is typed in it, and what is done with it. */
export function OpenRecord({ load, news, editing, setEditing, ...props }: OpenRecordProps) {
  const { schemaCode, onClose, onChanged, onDirty, related } = props
  const t = useText()
  const locale = useLocale()
  const { message, modal } = App.useApp()
  const client = useQueryClient()
  const form = useRef<Submit>(null)
  const page = useRef<HTMLDivElement>(null)
  const again = useRef(false)
  const isNew = load.id === null
  const [side, setSide] = useState<HTMLElement | null>(null)
  const { found, note } = useFormFaults(editing)
  const record = useRecord(load, (id, added) => {
    void message.success(t('form.saved'))
    unsent.forget()
    draft.done()
    guard.kept()
    onDirty?.(false)
    void script.done('save', { id }).then(() => {
      if (added && again.current) onChanged('')
      else onChanged(id)
      if (!added) setEditing(false) // a record that was added is opened anew, in read mode
    })
  })
  const unsent = useUnsent({
    address: {
      schemaCode,
      sheetCode: load.form.sheetCode,
      objectId: load.id ?? undefined,
      copyFrom: props.copyFrom,
      relation: props.relation,
    },
    load,
    record,
    editing,
  })
  useEffect(() => {
    if (load.actions.includes('save'))
      loadWidgets(
        [load.form.fields, ...load.form.fields.map((f) => f.children ?? [])].flat().map((f) => f.propertyType),
      )
  }, [load])
  const draft = useDraft(load, record, props.draft)
  const askWhy = useAskWhy(load, record)
  const { waiting, failed, hold } = useHolds()
  const [typing, setTyping] = useState(false)
  const unsaved =
    editing && (typing || (!draft.kept && (record.dirty || waiting + failed > 0))) && !record.saving.isPending
  useEffect(() => onDirty?.(unsaved), [unsaved, onDirty])
  const confirmLeave = (discard: () => void, stay?: () => void) =>
    modal.confirm({
      title: t('form.leaveTitle'),
      content: t('form.leaveText'),
      okText: t('form.discard'),
      cancelText: t('form.keepEditing'),
      focusable: { autoFocusButton: 'cancel' },
      okButtonProps: { danger: true },
      onOk: () => {
        unsent.forget()
        discard()
      },
      ...(stay ? { onCancel: stay } : {}),
    })
  const guard = useLeaveGuard(unsaved, confirmLeave)

  const modelName = localName({ name: load.form.modelName, name_i18n: load.form.modelName_i18n }, locale)
  const title = isNew ? t('form.newRecord', { name: modelName }) : load.name || modelName
  usePageTitle(title)
  const focusFault = (codes: string[]) => {
    requestAnimationFrame(() => {
      const wrong = new Set(codes)
      const first = [...(page.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])].find((field) =>
        wrong.has(field.dataset.field ?? ''),
      )
      first?.scrollIntoView({ block: 'center', behavior: 'smooth' })
      first?.querySelector<HTMLElement>('input, textarea, [tabindex]')?.focus({ preventScroll: true })
    })
  }
  const script = useFormScript({
    load,
    record,
    editing,
    edit: () => setEditing(true),
    save: () => form.current?.submit(),
    refresh: () => void (editing || client.invalidateQueries({ queryKey: ['record', schemaCode] })),
    close: () => (editing ? leave() : onClose()),
    onFaults: focusFault,
  })
  const layout = useLayout(script.load, script.record, related)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first fault of an answer is focused once, not again while the others are repaired
  useEffect(() => {
    if (record.faults.length > 0) focusFault(record.faults.map((fault) => fault.propertyCode.split('.')[0] ?? ''))
  }, [record.refusals])
  /** What is still on its way, or did not arrive, would be missing from the record. */
  const mustWait = () => {
    if (failed > 0) void message.warning(t('file.lost', { count: failed }), 5)
    else if (waiting > 0) void message.warning(t('file.wait', { count: waiting }), 3)
    return waiting + failed > 0
  }
  const save = (andNew: boolean) => {
    if (mustWait()) return
    again.current = andNew
    form.current?.submit()
  }
  const keepDraft = () => {
    if (mustWait()) return
    void draft.keep().then(
      (all) => all && unsent.forget(),
      () => {},
    )
  }
  useSaveKey(editing, () => save(false))
  const leave = () => {
    if (!unsaved) return isNew ? onClose() : setEditing(false)
    confirmLeave(() => {
      record.reset()
      onDirty?.(false)
      if (!isNew) return setEditing(false)
      guard.agree()
      onClose()
    })
  }
  const remove = useRemove(load, title, async () => {
    unsent.drop()
    client.removeQueries({ queryKey: ['record', schemaCode] })
    await script.done('delete', { id: load.id })
    onChanged(null)
  })
  const definition = useNewDefinition({
    news,
    load,
    base: record.base,
    changes: record.changes,
    busy: waiting > 0 || record.saving.isPending || record.conflict !== null,
    change: record.change,
  })
  const error = record.saving.error
  const failure =
    error && !(error instanceof ApiError && (error.code === 302001 || error.code === 302002)) ? error : null

  const faultCount = faultyFields(found, script.record.extraErrors)
  const online = useOnline()
  const state = !online
    ? t('form.offline')
    : failure
      ? failure.message || t('common.noConnection')
      : record.saving.isPending
        ? t('form.saving')
        : faultCount > 0
          ? t('form.errors', { count: faultCount })
          : waiting > 0
            ? t('file.uploading', { count: waiting })
            : unsaved
              ? t('form.unsaved')
              : ''
  const buttons = useSteadyScript(script)
  const [ownKept] = useState(() => new Map<string, unknown>())
  const kept = props.kept ?? ownKept
  const parts = useMemo(() => <RecordParts place="head" load={load} side={side} kept={kept} />, [load, side, kept])
  const acts = useSteady({
    edit: () => setEditing(true),
    remove: () => void remove(),
    leave,
    keep: keepDraft,
    save: () => save(false),
    saveAndNew: () => save(true),
  })

  return (
    <div ref={page} className={styles.page}>
      <RecordHead
        {...{ load, editing, title, modelName }}
        script={buttons}
        inDrawer={props.inDrawer}
        parts={parts}
        onRemove={acts.remove}
        onEdit={acts.edit}
      />
      <div className={styles.body}>
        <div className={styles.inner}>
          <WhyContext value={askWhy}>
            {definition}
            {load.id && editing && (
              <Meanwhile schemaCode={schemaCode} id={load.id} version={record.version} record={record} />
            )}
            <UnsentBanner load={load} record={record} unsent={unsent} onEdit={() => setEditing(true)} />
            {editing ? (
              <FormHoldContext value={hold}>
                <RecordForm
                  load={script.load}
                  record={script.record}
                  form={form}
                  layout={layout}
                  onSubmit={() => mustWait() || void script.saved(() => record.saving.mutate(undefined))}
                  onFaults={focusFault}
                  onFound={note}
                  onTyping={setTyping}
                />
              </FormHoldContext>
            ) : (
              <ReadForm load={script.load} record={script.record} layout={layout} />
            )}
          </WhyContext>
          <RecordParts place="below" load={load} side={side} kept={kept} />
        </div>
      </div>
      <div ref={setSide} className={styles.side}>
        <RecordParts place="side" load={load} side={side} kept={kept} />
      </div>
      {editing && (
        <div className={styles.foot}>
          <UndrawnFaults load={script.load} record={script.record} layout={layout} found={found} />
          <RecordBar
            isNew={isNew}
            state={state}
            faulty={!online || failure !== null || faultCount > 0}
            saving={!record.saving.isPending ? null : again.current ? 'saveAndNew' : 'save'}
            idle={script.busy || (!isNew && !record.dirty && !typing && waiting + failed === 0)}
            keeping={draft.keeping}
            kept={!typing && (!record.dirty || draft.kept)}
            onLeave={acts.leave}
            onKeep={acts.keep}
            onSave={acts.save}
            onSaveAndNew={acts.saveAndNew}
          />
        </div>
      )}
      <Suspense fallback={null}>
        {record.conflict && <MergeDialog record={record} conflict={record.conflict} onTaken={unsent.taken} />}
        {load.id && editing && props.revert ? <Revert load={load} record={record} version={props.revert} /> : null}
      </Suspense>
    </div>
  )
}
