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
import { useHotkey } from '@/lib/hotkeys'
import { useErrorText } from '@/sdk/error-text'
import { Failure } from '@/sdk/failure'
import { useFeedback } from '@/sdk/feedback'
import type { FormHandle, FormSender } from '@/sdk/form-sender'
import { useWorkCounts } from '@/sdk/work-counts'
import { taskPath, trackPath } from '@/sdk/work-items'
import {
  type Action,
  actOn,
  type Command,
  type Done,
  detailQuery,
  reloadTask,
  type WorkflowChoice,
  type WorkItemDetail,
} from '../api'
import { TrackDrawer } from '../track/track-drawer'
import { ActionDialog, ASKED, type AskedAction, type Choice, needsOpinion } from './action-dialog'
import { ChooseDialog, choicesOf } from './choose-dialog'
import { useHandled } from './handled'
import { leaveNext, nextTask, opensNext } from './next-task'
import { Opinions } from './opinions'
import { isSaid, NOTHING_SAID, needsSignature, type Said, saidIn } from './said'
import { TaskBar } from './task-bar'
import { useOnce } from './use-once'
import { useFlowWords, votesText } from './words'
import { overBy } from './words-box'

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
  const handled = useHandled()
  const { data, error, refetch } = useQuery(detailQuery(workItemId))
  if (error && !data) {
    const told = handled(error)
    const ways = (
      <>
        {workflowInstanceId && <Link to={trackPath(workflowInstanceId)}>{t('flow.track')}</Link>}
        <Link to="/workflow-center/my-unfinished-workitem">{t('flow.toList')}</Link>
      </>
    )
    if (told)
      return <Notice page role="alert" icon="search" title={t('opinion.handledTitle')} text={told} actions={ways} />
    return <Failure page error={error} gone={t('flow.gone')} onRetry={refetch} actions={ways} />
  }
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 10 }} style={{ padding: 24 }} />
  return <OpenTask key={workItemId} detail={data} onClose={onClose} onStay={() => void refetch()} form={form} />
}

/** After these the task is no longer the reader's, or it is done. */
const ENDING: readonly Action[] = ['agree', 'submit', 'disagree', 'reject', 'transfer']
/** The record has to be right for these; the others take it as it is. */
const CHECKED: readonly Action[] = ['agree', 'submit']
const SILENT: readonly Action[] = ['save', 'claim', 'release', 'withdraw']
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
  const handled = useHandled()
  const counts = useWorkCounts()
  const [said, setSaid] = useState<Said>(NOTHING_SAID)
  const [tried, setTried] = useState({ opinion: false, signature: false })
  const [held, setHeld] = useState(false)
  const [next, setNext] = useState(opensNext)
  const [dialog, setDialog] = useState<AskedAction | null>(null)
  const [refused, setRefused] = useState('')
  const [choosing, setChoosing] = useState<WorkflowChoice[] | null>(null)
  const [track, setTrack] = useState(false)
  const [sent, setSent] = useState<Action | null>(null)
  /** It is decided, and what comes next is not drawn yet: nothing more can be done here. */
  const [over, setOver] = useState(false)
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
    if (over) return
    if (asked(action)) {
      setRefused('')
      return setDialog(action)
    }
    const lacks = {
      opinion: needsOpinion(opinionRule.required, action) && said.text.trim() === '',
      signature: needsSignature(opinionRule.signature, action) && said.signature === '',
    }
    setTried(lacks)
    if (lacks.opinion || (!SILENT.includes(action) && overBy(said.text, opinionRule.maxLength) > 0))
      return box.current?.focus()
    if (lacks.signature) return
    if (held) return say.warning(t('opinion.uploading'))
    run(action, {})
  }
  const forward = (['agree', 'submit'] as const).find((action) => actions.includes(action))
  const confirm = () => {
    if (
      !forward ||
      over ||
      handle.current?.sending ||
      document.querySelector('[role="dialog"]:not([aria-hidden="true"])')
    )
      return
    if (forward === 'submit') return press('submit')
    say.modal.confirm({
      title: t('opinion.agreeAsk', { name: item.instanceName }),
      okText: t('flow.agree'),
      autoFocusButton: 'ok',
      onOk: () => press('agree'),
    })
  }
  useHotkey('mod+enter', confirm)
  const onSent = () => {
    const { action, done } = doing.current
    setDialog(null)
    setChoosing(null)
    const follow = next && ENDING.includes(action) && !done?.nextWorkItemId
    if (!follow) say.success(t(`flow.done.${action}`))
    void client.invalidateQueries({ queryKey: ['workflow'] })
    if (!ENDING.includes(action)) return onStay()
    setOver(true)
    if (done?.nextWorkItemId)
      return void navigate(taskPath({ workItemId: done.nextWorkItemId, workflowInstanceId: done.workflowInstanceId }), {
        replace: true,
        state,
      })
    if (!follow) return onClose()
    void nextTask(item.workItemId).then(
      ({ task, left }) => {
        say.success(
          `${t(`flow.done.${action}`)} · ${left > 0 ? t('opinion.left', { count: left }) : t('opinion.noneLeft')}`,
        )
        if (task) void navigate(taskPath(task), { replace: true, state })
        else onClose()
      },
      () => {
        say.success(t(`flow.done.${action}`))
        onClose()
      },
    )
  }
  const sender: FormSender = {
    place: item.workItemId,
    title: item.instanceName,
    note: [words.workflow(item), words.activity(item), item.originator.name, votesText(item.votes, t)]
      .filter(Boolean)
      .join(' · '),
    editing: load.form.fields.some((field) => !field.readOnly) && actions.some((one) => EDITING.includes(one)),
    dirty: isSaid(said),
    onSaveKey: () => actions.includes('save') && press('save'),
    send: async ({ version, data }) => {
      const { action, choice } = doing.current
      const command: Command = {
        workItemId: item.workItemId,
        ...choice,
        ...(SILENT.includes(action) ? {} : saidIn(said, needsSignature(opinionRule.signature, action))),
        ...(Object.keys(data).length > 0 && version !== null ? { version, data } : {}),
      }
      try {
        const done = await actOn(action, command, once.keyOf([action, command]))
        doing.current.done = done
        once.arrived()
        if (!SILENT.includes(action)) setSaid(NOTHING_SAID) // it has been said: nothing is lost with it
        return { id: done.bizObjectId, version: done.version }
      } catch (caught) {
        setChoosing((now) => choicesOf(caught) ?? now)
        const told = handled(caught)
        const error =
          told && caught instanceof ApiError ? new ApiError(told, { code: caught.code, status: caught.status }) : caught
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
            said={said}
            onSaid={setSaid}
            onHeld={setHeld}
            required={opinionRule.required === 'always'}
            missing={tried.opinion && said.text.trim() === ''}
            unsigned={tried.signature}
            next={{
              on: next,
              left: counts.unfinished - 1,
              set: (on) => {
                setNext(on)
                leaveNext(on)
              },
            }}
            focus={box}
            sent={sent}
            over={over}
            onPress={press}
          />
          {dialog && (
            <ActionDialog
              key={dialog}
              action={dialog}
              detail={detail}
              said={said}
              onSaid={setSaid}
              change={now}
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
