import { lazy, Suspense, useMemo, useState } from 'react'
import { AskedPlaceContext } from '@/sdk/errors'
import { FormHoldContext } from '@/sdk/form-hold'
import type { FormSender } from '@/sdk/form-sender'
import { ReadForm } from '../fields/read-form'
import { UndrawnFaults } from '../fields/undrawn-faults'
import styles from '../form.module.css'
import { Meanwhile } from '../merge/meanwhile'
import { FaultLinks } from '../submit/fault-links'
import { UnsavedBanner } from '../unsaved/unsaved-banner'
import { WhyContext } from '../why/context'
import { RecordForm } from './record-form'
import { RecordBar, RecordHead } from './record-frame'
import { RecordParts } from './record-parts'
import { type OpenRecordController, type OpenRecordProps, useOpenRecord } from './use-open-record'

const Revert = lazy(() => import('../life/revert').then((m) => ({ default: m.Revert })))
const MergeDialog = lazy(() => import('../merge/merge-dialog').then((m) => ({ default: m.MergeDialog })))

/** A record's page: its head, its form or what it says, what packs add, and the bar to save with. */
export function OpenRecord(props: OpenRecordProps) {
  const open = useOpenRecord(props)
  const { load, record, editing, title, modelName, acts } = open
  const [side, setSide] = useState<HTMLElement | null>(null)
  const [ownKept] = useState(() => new Map<string, unknown>())
  const kept = props.kept ?? ownKept
  const ofHead = useMemo(() => <RecordParts place="head" load={load} side={side} kept={kept} />, [load, side, kept])
  return (
    <div ref={open.page} className={styles.page}>
      <RecordHead
        {...{ load, editing, title, modelName }}
        script={open.buttons}
        inDrawer={props.inDrawer}
        parts={ofHead}
        sender={props.sender}
        onRemove={acts.remove}
        onEdit={acts.edit}
        onStart={acts.start}
      />
      <div className={styles.body}>
        <div className={styles.inner} data-form tabIndex={-1}>
          {!props.sender && <RecordParts place="above" load={load} side={side} kept={kept} />}
          <Content open={open} sent={props.sender !== undefined} />
          {props.sender?.below}
          <RecordParts place="below" load={load} side={side} kept={kept} />
        </div>
      </div>
      <div ref={setSide} className={styles.side}>
        <RecordParts place="side" load={load} side={side} kept={kept} />
      </div>
      {props.sender ? <SentFoot open={open} sender={props.sender} /> : editing && <Foot open={open} />}
      {open.amend.dialog}
      <Suspense fallback={null}>
        {record.conflict && <MergeDialog record={record} conflict={record.conflict} onTaken={open.unsent.taken} />}
        {load.id && editing && props.revert ? <Revert load={load} record={record} version={props.revert} /> : null}
      </Suspense>
    </div>
  )
}

/** What happened meanwhile, and the fields: to read or to edit. */
function Content({ open, sent }: { open: OpenRecordController; sent: boolean }) {
  const { load, record, script, layout, editing, acts } = open
  return (
    <WhyContext value={open.askWhy}>
      {open.definition}
      {load.id && editing && !sent && (
        <Meanwhile schemaCode={load.form.schemaCode} id={load.id} version={record.version} record={record} />
      )}
      <UnsavedBanner load={load} record={record} unsent={open.unsent} onEdit={acts.edit} />
      {editing ? (
        <FormHoldContext value={open.hold}>
          <AskedPlaceContext value={open.place.asked}>
            <RecordForm
              load={script.load}
              record={script.record}
              form={open.form}
              layout={layout}
              onSubmit={acts.submit}
              onFaults={open.focusFault}
              onFound={open.note}
              onTyping={open.setTyping}
            />
          </AskedPlaceContext>
        </FormHoldContext>
      ) : (
        <ReadForm load={script.load} record={script.record} layout={layout} />
      )}
    </WhyContext>
  )
}

/** What is in the way of a save: what the form does not show in words, the rest by name, to go there. */
function Faults({ open }: { open: OpenRecordController }) {
  const { script, layout, found, place } = open
  const of = { load: script.load, record: script.record, layout, found }
  return (
    <>
      <UndrawnFaults {...of} />
      <FaultLinks {...of} onGo={place.go} />
    </>
  )
}

/** Below a form that something else sends: faults of fields that are not drawn, and what sends it. */
function SentFoot({ open, sender }: { open: OpenRecordController; sender: FormSender }) {
  const { editing, handle } = open
  return (
    <div className={styles.foot}>
      {editing && <Faults open={open} />}
      {sender.foot(handle)}
    </div>
  )
}

/** Below a form that is being edited: faults of fields that are not drawn, and the bar. */
function Foot({ open }: { open: OpenRecordController }) {
  const { state, acts } = open
  return (
    <div className={styles.foot}>
      <Faults open={open} />
      <RecordBar
        isNew={open.isNew}
        state={state.text}
        faulty={state.faulty}
        saving={open.saving}
        idle={open.idle}
        keeping={open.draft.keeping}
        kept={open.kept}
        onLeave={acts.leave}
        onKeep={acts.keep}
        onSave={acts.save}
        onSaveAndNew={acts.saveAndNew}
        starts={open.load.actions.includes('submit')}
        onStart={acts.start}
      />
    </div>
  )
}
