import { Button } from 'antd'
import { memo, type ReactNode, useRef, useState } from 'react'
import type { FormLoad } from '@/api/types'
import { Hint } from '@/components/hint'
import { Icon } from '@/components/icon'
import type { FormSender } from '@/sdk/form-sender'
import { useText } from '@/sdk/use-text'
import { changes } from '../api'
import styles from '../form.module.css'
import type { FormScript } from '../scripts/use-form-script'
import { FormActions } from './form-actions'
import { FormButtons } from './form-buttons'
import { useActionContext } from './use-action-context'
import type { Goal } from './use-open-record'

type Acts = Record<string, () => void>

/** Functions that stay the same and do what the latest ones do: what is around the fields is not drawn for each key. */
export function useSteady<T extends Acts>(acts: T): T {
  const latest = useRef(acts)
  latest.current = acts
  const [steady] = useState(() =>
    Object.fromEntries(Object.keys(acts).map((name) => [name, () => latest.current[name]?.()])),
  )
  return steady as T
}

/** What the form's buttons need of its script, the same while people type. */
export function useSteadyScript(script: FormScript): FormScript {
  const last = useRef(script)
  const { busy, pressed, actions } = last.current
  if (busy !== script.busy || pressed !== script.pressed || actions !== script.actions) last.current = script
  return last.current
}

interface HeadProps {
  load: FormLoad
  script: FormScript
  editing: boolean
  title: string
  modelName: string
  inDrawer: boolean | undefined
  /** Draws what packs put into the head. */
  parts: ReactNode
  sender: FormSender | undefined
  onRemove: () => void
  onEdit: () => void
  onStart: () => void
}

/** The record's name, and what can be done with it as it is saved. */
export const RecordHead = memo(function RecordHead(props: HeadProps) {
  const { load, script, editing, title, modelName, inDrawer, parts, sender, onRemove, onEdit, onStart } = props
  const t = useText()
  const { run, dialog } = useActionContext(load, onRemove)
  const isNew = load.id === null
  const starts = !editing && !sender && !isNew && load.actions.includes('submit')
  const amends = load.actions.includes('amend')
  return (
    <header className={styles.head} data-drawer={inDrawer || undefined} data-starts={starts || undefined}>
      <h1 className={styles.title} title={title}>
        {title}
        {load.seal && <Sealed amends={amends} />}
        {sender ? <small>{sender.note}</small> : !isNew && <small>{modelName}</small>}
      </h1>
      <FormButtons load={load} script={script} editing={editing} onRun={run} />
      {!editing && !sender && <FormActions load={load} script={script} run={run} />}
      {!editing && !sender && !isNew && changes(load) && (
        <Button type={starts || amends ? 'default' : 'primary'} onClick={onEdit} data-edit>
          {t(amends ? 'form.amend' : 'form.edit')}
        </Button>
      )}
      {starts && (
        <Button type="primary" disabled={script.busy} onClick={onStart}>
          {t('form.submit')}
        </Button>
      )}
      {sender?.head}
      {parts}
      {dialog}
    </header>
  )
})

/** Says that a workflow has approved the record and what that means for the reader. */
function Sealed({ amends }: { amends: boolean }) {
  const t = useText()
  return (
    <Hint title={t(amends ? 'form.sealedAmend' : 'form.sealedHint')}>
      <span className={styles.sealed}>
        <Icon name="lock" />
        {t('form.sealed')}
      </span>
    </Hint>
  )
}

interface BarProps {
  isNew: boolean
  /** What goes on, in words. */
  state: string
  faulty: boolean
  saving: Goal | null
  /** The form starts a workflow with the record. */
  starts: boolean
  /** The save button has nothing to do. */
  idle: boolean
  keeping: boolean
  kept: boolean
  onLeave: () => void
  onKeep: () => void
  onSave: () => void
  onSaveAndNew: () => void
  onStart: () => void
}

/** Below a record that is being edited. */
export const RecordBar = memo(function RecordBar(props: BarProps) {
  const { isNew, state, faulty, saving, idle, keeping, kept, starts } = props
  const { onLeave, onKeep, onSave, onSaveAndNew, onStart } = props
  const t = useText()
  return (
    <footer className={styles.bar}>
      <span className={styles.state} data-kind={faulty ? 'fault' : undefined} aria-live="polite">
        {state}
      </span>
      <Button onClick={onLeave}>{t('common.cancel')}</Button>
      {isNew && (
        <Button onClick={onKeep} loading={keeping} disabled={kept}>
          {t('draft.keep')}
        </Button>
      )}
      {isNew && (
        <Button onClick={onSaveAndNew} loading={saving === 'saveAndNew'}>
          {t('form.saveAndNew')}
        </Button>
      )}
      <Button type={starts ? 'default' : 'primary'} onClick={onSave} loading={saving === 'save'} disabled={idle}>
        {t('form.save')}
      </Button>
      {starts && (
        <Button type="primary" onClick={onStart} loading={saving === 'submit'}>
          {t('form.submit')}
        </Button>
      )}
    </footer>
  )
})
