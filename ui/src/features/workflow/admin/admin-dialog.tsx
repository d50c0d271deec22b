import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Radio } from 'antd'
import { type ReactNode, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '@/api/client'
import type { Entry } from '@/api/types'
import { EntryPicker } from '@/sdk/entry-picker'
import { useErrorText } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { administersWorkflows, useMe } from '@/sdk/me'
import { Sheet } from '@/sdk/sheet'
import type { Instance } from '@/sdk/work-items'
import { findPeople, type Person, type TrackNode } from '../api'
import { ReasonBox } from '../task/reason-box'
import styles from '../task/task.module.css'
import { useOnce } from '../task/use-once'
import { type FlowWords, useFlowWords } from '../task/words'
import { overBy } from '../task/words-box'
import {
  type AdminAct,
  type AdminOrder,
  administer,
  findSuccessors,
  type Preview,
  previewQuery,
  removeInstance,
} from './admin-api'

interface Props {
  act: AdminAct
  /** null: it is about the whole instance. */
  node: Pick<TrackNode, 'activityCode'> | null
  /** Of the node, or of the instance. */
  name: string
  instance: Instance
  onClose: () => void
}

/** Who has an open task at a node. */
const openAt = (instance: Instance, node: Props['node']): Person[] =>
  instance.current.find((place) => place.activityCode === node?.activityCode)?.people ?? []

/** Asks before an administrator changes where an instance is or who works on it, and shows what would happen. */
export function AdminDialog({ act, node, name, instance, onClose }: Props) {
  const words = useFlowWords()
  const { t } = words
  const id = useId()
  const say = useFeedback()
  const manages = administersWorkflows(useMe()) // who handled the step before is not among those whom they may add
  const errorText = useErrorText()
  const client = useQueryClient()
  const sent = useOnce()
  const [reason, setReason] = useState('')
  const box = useRef<{ focus: () => void }>(null)
  const [people, setPeople] = useState<Entry[]>([])
  const [removed, setRemoved] = useState<string[]>([])
  const sources = act === 'jump' ? instance.current : []
  const [from, setFrom] = useState(sources.length === 1 ? sources[0]?.activityCode : undefined)
  const [tried, setTried] = useState(false)
  const lacks = {
    from: sources.length > 1 && !from,
    people: act === 'adjust' && people.length + removed.length === 0,
  }
  const ready = !lacks.from && !lacks.people
  const order: AdminOrder = {
    workflowInstanceId: instance.workflowInstanceId,
    ...(node && { activityCode: node.activityCode }),
    ...(from && { fromActivityCode: from }),
    ...(act === 'adjust' && { people: people.map((one) => one.id), remove: removed }),
  }
  const preview = useQuery({ ...previewQuery(act, order), enabled: ready })
  const doing = useMutation({
    mutationFn: () => administer(act, order, reason.trim(), sent.keyOf([act, order, reason.trim()])),
    onSuccess: () => {
      say.success(t(`flowAdmin.done.${act}`))
      onClose()
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) say.error(error)
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['workflow'] }),
  })
  const run = () => {
    setTried(true)
    if (!ready || doing.isPending) return
    if (overBy(reason) > 0) return box.current?.focus()
    doing.mutate()
  }
  const refused = doing.error ?? preview.error
  const group = (key: string, label: string, wrong: string | false, children: ReactNode) => (
    // biome-ignore lint/a11y/useSemanticElements: a group of radios has its role from the library
    <div className={styles.field} role="group" aria-labelledby={`${id}-${key}`}>
      <span id={`${id}-${key}`} className={styles.label}>
        {label}
      </span>
      {children}
      {wrong && (
        <span className={styles.wrong} role="alert">
          {wrong}
        </span>
      )}
    </div>
  )
  return (
    <Sheet
      title={t(`flowAdmin.titles.${act}`, { name })}
      width={520}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <Button onClick={onClose}>{t('flowAdmin.close')}</Button>
          <Button
            type="primary"
            danger={act === 'void' || act === 'cancelActivity'}
            loading={doing.isPending}
            disabled={preview.error instanceof ApiError}
            onClick={run}
          >
            {t(`flowAdmin.buttons.${act}`)}
          </Button>
        </div>
      }
    >
      {sources.length > 1 &&
        group(
          'from',
          t('flowAdmin.from'),
          tried && lacks.from && t('flowAdmin.fromNeeded'),
          <Radio.Group
            className={styles.radios ?? ''}
            value={from ?? null}
            onChange={(event) => setFrom(event.target.value as string)}
            options={sources.map((place) => ({
              value: place.activityCode,
              label: (
                <>
                  {words.name(place)}
                  {place.people.length > 0 && <span className={styles.note}> {words.names(place.people)}</span>}
                </>
              ),
            }))}
          />,
        )}
      {act === 'adjust' && (
        <>
          {group(
            'remove',
            t('flowAdmin.remove'),
            false,
            <Checkbox.Group
              className={styles.radios ?? ''}
              value={removed}
              onChange={setRemoved}
              options={openAt(instance, node).map(({ id: value, name: label }) => ({ value, label }))}
            />,
          )}
          <div className={styles.field}>
            <label htmlFor={`${id}-people`} className={styles.label}>
              {t('flowAdmin.add')}
            </label>
            <EntryPicker
              id={`${id}-people`}
              schemaCode=""
              propertyCode="workItemParticipants"
              find={manages ? findSuccessors : findPeople}
              multiple
              value={people}
              onChange={setPeople}
              invalid={tried && lacks.people}
              describedBy={`${id}-people-note`}
            />
            <span id={`${id}-people-note`} className={styles.wrong} role="alert">
              {tried && lacks.people && t('flowAdmin.changeNeeded')}
            </span>
          </div>
        </>
      )}
      <ReasonBox value={reason} onChange={setReason} focus={box} />
      {ready && act !== 'adjust' && !refused && (
        <section className={styles.preview} aria-label={t('flowAdmin.preview')} aria-live="polite">
          <p className={styles.previewTitle}>{t('flowAdmin.preview')}</p>
          {preview.data ? <Outcome preview={preview.data} words={words} /> : <p>{t('flowAdmin.previewing')}</p>}
        </section>
      )}
      {refused instanceof ApiError && (
        <p className={styles.wrong} role="alert">
          {errorText(refused)}
        </p>
      )}
    </Sheet>
  )
}

/** What a command would do. */
function Outcome({ preview, words }: { preview: Preview; words: FlowWords }) {
  const { t } = words
  const lines = [
    ...preview.closes.map((place) =>
      place.people.length > 0
        ? t('flowAdmin.closes', { name: words.name(place), people: words.names(place.people) })
        : t('flowAdmin.closesNobody', { name: words.name(place) }),
    ),
    ...preview.nodes.map((place) =>
      place.people.length > 0
        ? t('flowAdmin.opens', { name: words.name(place), people: words.names(place.people) })
        : t('flowAdmin.opensNobody', { name: words.name(place) }),
    ),
    ...(preview.fault ? [t('flowAdmin.stuck', { name: preview.fault })] : []),
    ...(preview.ends ? [t('flowAdmin.ends')] : []),
  ]
  if (lines.length === 0) lines.push(t('flowAdmin.unchanged'))
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

interface DeleteProps {
  instance: Instance
  /** The page is not that of the instance and goes on without it. */
  stays?: boolean
  onClose: () => void
}

/** Asks before an instance is deleted with its log. */
export function DeleteDialog({ instance, stays = false, onClose }: DeleteProps) {
  const { t } = useFlowWords()
  const say = useFeedback()
  const client = useQueryClient()
  const navigate = useNavigate()
  const sent = useOnce()
  const doing = useMutation({
    mutationFn: () => removeInstance(instance.workflowInstanceId, sent.keyOf(instance.workflowInstanceId)),
    onSuccess: async () => {
      say.success(t('flowAdmin.deleted'))
      onClose()
      if (!stays) void navigate('/workflow-center/query-instance', { replace: true })
      client.removeQueries({ queryKey: ['workflow', 'track', instance.workflowInstanceId] })
      await client.invalidateQueries({ queryKey: ['workflow'] })
    },
    onError: say.error,
  })
  return (
    <Sheet
      title={t('flowAdmin.deleteTitle', { name: instance.instanceName })}
      width={460}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="primary" danger loading={doing.isPending} onClick={() => doing.mutate()}>
            {t('common.delete')}
          </Button>
        </div>
      }
    >
      <p className={styles.ask}>{t('flowAdmin.deleteText')}</p>
    </Sheet>
  )
}
