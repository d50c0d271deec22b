import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { type ReactNode, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import type { FormLoad } from '@/api/types'
import { Hint } from '@/components/hint'
import { Icon } from '@/components/icon'
import { Notice } from '@/components/notice'
import { useErrorText, useRequestNote } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import type { FormHandle, FormSender } from '@/sdk/form-sender'
import { ActionDialog, ASKED, type AskedAction, type Choice, needsOpinion } from './action-dialog'
import {
  type Action,
  actOn,
  type Command,
  type Done,
  detailQuery,
  reloadTask,
  taskPath,
  trackPath,
  type WorkflowChoice,
  type WorkItemDetail,
} from './api'
import { ChooseDialog, choicesOf } from './choose-dialog'
import { Opinions } from './opinions'
import { TaskBar } from './task-bar'
import { TrackDrawer } from './track-drawer'
import { useOnce } from './use-once'
import { useFlowWords } from './words'

export interface TaskPageProps {
  workItemId: string
  workflowInstanceId: string | null
  onClose: () => void
  /** Draws the record's form, with what is around it. */
  form: (load: FormLoad, sender: FormSender) => ReactNode
}

/** A task or a copy: the record as its node shows it, and what can be done. */
export function TaskPage({ workItemId, workflowInstanceId, onClose, form }: TaskPageProps) {
  const { t } = useFlowWords()
  const errorText = useErrorText()
  const requestNote = useRequestNote()
  const { data, error, refetch } = useQuery(detailQuery(workItemId))
  if (error && !data) {
    const gone = error instanceof ApiError && error.status >= 400 && error.status < 500
    return (
      <Notice
        page
        role="alert"
        icon={gone ? 'search' : 'alert'}
        title={gone ? t('flow.gone') : errorText(error)}
        text={gone ? t('flow.goneText') : undefined}
        note={requestNote(error)}
        actions={
          <>
            {!gone && (
              <Button type="primary" onClick={() => void refetch()}>
                {t('common.retry')}
              </Button>
            )}
            {workflowInstanceId && <Link to={trackPath(workflowInstanceId)}>{t('flow.track')}</Link>}
            <Link to="/workflow-center/my-unfinished-workitem">{t('flow.toList')}</Link>
          </>
        }
      />
    )
  }
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 10 }} style={{ padding: 24 }} />
  return <OpenTask key={workItemId} detail={data} onClose={onClose} onStay={() => void refetch()} form={form} />
}

/** After these the task is no longer the reader's, or it is done. */
const ENDING: readonly Action[] = ['agree', 'submit', 'disagree', 'reject', 'transfer']
/** The record has to be right for these; the others take it as it is. */
const CHECKED: readonly Action[] = ['agree', 'submit']
const SILENT: readonly Action[] = ['save', 'claim', 'withdraw']
/** With one of these the fields can be edited. */
const EDITING: readonly string[] = ['agree', 'submit', 'disagree', 'reject', 'save']
/** Faults that are shown at the fields, behind a dialog. */
const BEHIND: readonly number[] = [ERROR.RecordInvalid, ERROR.VersionStale]

const asked = (action: Action): action is AskedAction => (ASKED as readonly string[]).includes(action)

interface OpenProps extends Pick<TaskPageProps, 'onClose' | 'form'> {
  detail: WorkItemDetail
  onStay: () => void
}

function OpenTask({ detail, onClose, onStay, form }: OpenProps) {
  const words = useFlowWords()
  const { t } = words
  const say = useFeedback()
  const errorText = useErrorText()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { state } = useLocation()
  const once = useOnce()
  const [opinion, setOpinion] = useState('')
  const [missing, setMissing] = useState(false)
  const [dialog, setDialog] = useState<AskedAction | null>(null)
  const [refused, setRefused] = useState('')
  const [choosing, setChoosing] = useState<WorkflowChoice[] | null>(null)
  const [track, setTrack] = useState(false)
  const [sent, setSent] = useState<Action | null>(null)
  const box = useRef<{ focus: () => void }>(null)
  const handle = useRef<FormHandle>(null)
  const doing = useRef<{ action: Action; choice: Choice; done?: Done }>({ action: 'save', choice: {} })
  const { item, form: load, actions, opinionRule } = detail

  const run = (action: Action, choice: Choice) => {
    setRefused('')
    doing.current = { action, choice }
    setSent(action)
    handle.current?.send(CHECKED.includes(action))
  }
  const press = (action: Action) => {
    if (asked(action)) {
      setRefused('')
      return setDialog(action)
    }
    if (needsOpinion(opinionRule.required, action) && opinion.trim() === '') {
      setMissing(true)
      return box.current?.focus()
    }
    run(action, {})
  }
  const onSent = () => {
    const { action, done } = doing.current
    say.success(t(`flow.done.${action}`))
    setDialog(null)
    setChoosing(null)
    void client.invalidateQueries({ queryKey: ['workflow'] })
    if (!ENDING.includes(action)) return onStay()
    if (done?.nextWorkItemId)
      return void navigate(taskPath({ workItemId: done.nextWorkItemId, workflowInstanceId: done.workflowInstanceId }), {
        replace: true,
        state,
      })
    onClose()
  }
  const sender: FormSender = {
    place: item.workItemId,
    title: item.instanceName,
    note: [words.workflow(item), words.activity(item), item.originator.name].filter(Boolean).join(' · '),
    editing: load.form.fields.some((field) => !field.readOnly) && actions.some((one) => EDITING.includes(one)),
    dirty: opinion.trim() !== '',
    onSaveKey: () => actions.includes('save') && press('save'),
    send: async ({ version, data }) => {
      const { action, choice } = doing.current
      const text = SILENT.includes(action) ? '' : opinion.trim()
      const command: Command = {
        workItemId: item.workItemId,
        ...choice,
        ...(text ? { opinion: text } : {}),
        ...(Object.keys(data).length > 0 && version !== null ? { version, data } : {}),
      }
      try {
        const done = await actOn(action, command, once.keyOf([action, command]))
        doing.current.done = done
        once.arrived()
        if (!SILENT.includes(action)) setOpinion('') // it has been said: nothing is lost with it
        return { id: done.bizObjectId, version: done.version }
      } catch (error) {
        setChoosing((now) => choicesOf(error) ?? now)
        if (error instanceof ApiError && BEHIND.includes(error.code)) setDialog(null)
        else setRefused(errorText(error))
        throw error
      }
    },
    reload: () => reloadTask(item.workItemId),
    onSent,
    head: (
      <Hint title={t('flow.track')}>
        <Button type="text" aria-label={t('flow.track')} icon={<Icon name="tree" />} onClick={() => setTrack(true)} />
      </Hint>
    ),
    below: <Opinions opinions={detail.opinions} />,
    foot: (now) => {
      handle.current = now
      return (
        <>
          <TaskBar
            detail={detail}
            handle={now}
            opinion={opinion}
            onOpinion={(next) => {
              setMissing(false)
              setOpinion(next)
            }}
            required={opinionRule.required === 'always'}
            missing={missing}
            focus={box}
            sent={sent}
            onPress={press}
          />
          {dialog && (
            <ActionDialog
              key={dialog}
              action={dialog}
              detail={detail}
              opinion={opinion}
              onOpinion={setOpinion}
              sending={now.sending}
              error={refused}
              onClose={() => setDialog(null)}
              onRun={(choice) => run(dialog, choice)}
            />
          )}
          {choosing && (
            <ChooseDialog
              choices={choosing}
              sending={now.sending}
              error=""
              onClose={() => setChoosing(null)}
              onChoose={(choices) => run(doing.current.action, { ...doing.current.choice, choices })}
            />
          )}
        </>
      )
    },
  }
  return (
    <>
      {form(load, sender)}
      {track && (
        <TrackDrawer
          workflowInstanceId={item.workflowInstanceId}
          workItemId={item.workItemId}
          name={item.instanceName}
          onClose={() => setTrack(false)}
        />
      )}
    </>
  )
}
