import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { Link, Navigate } from 'react-router'
import { Choice } from '@/components/choice'
import { OptionDot, OptionTag } from '@/components/option-dot'
import { useHasCards } from '@/lib/use-media'
import { administersWorkflows, overseesWorkflows, useMe } from '@/sdk/me'
import { trackPath, type WorkItem } from '@/sdk/work-items'
import { type TaskSearch, tasksQuery } from '../admin/admin-api'
import { HandOverDialog } from '../admin/hand-over-dialog'
import { ParticipantChoice, useParticipant } from '../task/participant-choice'
import { RESULT_COLOURS, useFlowWords } from '../task/words'
import { TrackDrawer } from '../track/track-drawer'
import styles from '../workflow.module.css'
import { SearchBox, WorkflowChoice } from './filters'
import { ListFrame } from './list-frame'
import { useListSearch } from './use-search'

const STATES = ['open', 'finished'] as const
const SORTS = {
  open: [
    ['-receiveTime', 'newest'],
    ['receiveTime', 'oldest'],
    ['dueTime', 'due'],
  ],
  finished: [
    ['-finishTime', 'finished'],
    ['-receiveTime', 'newest'],
    ['receiveTime', 'oldest'],
  ],
} as const
const NARROWING = ['searchword', 'participant', 'workflowCode', 'timeout', 'departed'] as const

/** The tasks of anybody, for those who oversee workflows; the others are sent to their own. */
export function TasksPage() {
  const me = useMe()
  if (!me) return null
  if (!overseesWorkflows(me)) return <Navigate to="/workflow-center/my-unfinished-workitem" replace />
  return <Tasks manages={administersWorkflows(me)} />
}

type Asked = { from: { id: string; name: string }; item?: WorkItem }

function Tasks({ manages }: { manages: boolean }) {
  const { t } = useFlowWords()
  const cards = useHasCards()
  const search = useListSearch('tasks')
  const { text, set } = search
  const [track, setTrack] = useState<WorkItem | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const state = STATES.find((one) => one === text('state')) ?? 'open'
  const sorts = SORTS[state]
  const sort = sorts.find(([value]) => value === text('sort'))?.[0] ?? sorts[0][0]
  const [word, code, participant] = [text('searchword'), text('workflowCode'), text('participant')]
  const [overdue, departed] = [text('timeout') === '1', text('departed') === '1']
  const filter: TaskSearch = { state, sort, page: search.page, size: search.size }
  if (word) filter.searchword = word
  if (code) filter.workflowCode = code
  if (participant) filter.participant = participant
  if (overdue) filter.timeout = true
  if (departed) filter.departed = true
  const name = useParticipant(participant)
  const result = useQuery(tasksQuery(filter))
  const items = result.data?.content ?? []
  const open = state === 'open'
  const rows: RowsProps = {
    items,
    open,
    manages: manages && open,
    onTrack: setTrack,
    onReplace: (item) => setAsked({ from: item.participant, item }),
  }
  const flag = (key: 'timeout' | 'departed', on: boolean, label: string) => (
    <Checkbox
      className={styles.overdue ?? ''}
      checked={on}
      onChange={(event) => set({ [key]: event.target.checked ? '1' : undefined })}
    >
      {label}
    </Checkbox>
  )
  return (
    <ListFrame
      title={t('workflow.tasks')}
      tools={
        manages &&
        participant &&
        name && <Button onClick={() => setAsked({ from: { id: participant, name } })}>{t('flowAdmin.handOver')}</Button>
      }
      filters={
        <>
          <SearchBox value={word ?? ''} label={t('flow.search')} onChange={(next) => set({ searchword: next })} />
          <ParticipantChoice search={search} />
          <Choice
            className={styles.filter ?? ''}
            aria-label={t('flow.state')}
            value={state}
            options={STATES.map((value) => ({ value, label: t(`flowAdmin.taskStates.${value}`) }))}
            onChange={(value) => set({ state: value === 'finished' ? 'finished' : undefined, sort: undefined })}
          />
          <WorkflowChoice search={search} list="query" />
          <Choice
            className={styles.filter ?? ''}
            aria-label={t('flow.sort')}
            value={sort}
            options={sorts.map(([value, label]) => ({ value, label: t(`flow.sorts.${label}`) }))}
            onChange={(value) => set({ sort: value === sorts[0][0] ? undefined : (value ?? undefined) })}
          />
          {open && flag('timeout', overdue, t('flow.overdueOnly'))}
          {flag('departed', departed, t('flowAdmin.departedOnly'))}
        </>
      }
      search={search}
      filtered={NARROWING.some((one) => text(one))}
      onClear={() => set(Object.fromEntries(NARROWING.map((one) => [one, undefined])))}
      empty={t('flowAdmin.empty')}
      icon="inbox"
      result={result}
      count={items.length}
    >
      {cards ? <TaskCards {...rows} /> : <TaskTable {...rows} />}
      {track && (
        <TrackDrawer
          workflowInstanceId={track.workflowInstanceId}
          name={track.instanceName}
          onClose={() => setTrack(null)}
        />
      )}
      {asked && <HandOverDialog {...asked} onClose={() => setAsked(null)} />}
    </ListFrame>
  )
}

interface RowsProps {
  items: WorkItem[]
  open: boolean
  manages: boolean
  onTrack: (item: WorkItem) => void
  onReplace: (item: WorkItem) => void
}

function Acts({ item, manages, onTrack, onReplace }: Omit<RowsProps, 'items' | 'open'> & { item: WorkItem }) {
  const { t } = useFlowWords()
  return (
    <>
      {manages && (
        <Button
          aria-label={`${t('flowAdmin.replace')} ${item.instanceName} ${item.participant.name}`}
          onClick={() => onReplace(item)}
        >
          {t('flowAdmin.replace')}
        </Button>
      )}
      <Button type="text" aria-label={t('flow.trackOf', { name: item.instanceName })} onClick={() => onTrack(item)}>
        {t('flow.track')}
      </Button>
    </>
  )
}

function Marks({ item }: { item: WorkItem }) {
  const { t } = useFlowWords()
  const label = item.result ? t(`flow.results.${item.result}`) : t(`flow.itemStates.${item.state}`)
  return (
    <>
      <OptionDot
        label={label}
        color={
          item.result ? RESULT_COLOURS[item.result] : item.state === 'TODO' || item.state === 'DOING' ? 'blue' : 'gray'
        }
      />
      {item.overdue && <OptionTag label={t('flow.overdue')} color="red" />}
      {item.delegatedBy && <OptionTag label={t('flow.delegated', { name: item.delegatedBy.name })} />}
    </>
  )
}

function TaskTable(props: RowsProps) {
  const { items, open } = props
  const words = useFlowWords()
  const { t } = words
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th>{t('flow.instance')}</th>
          <th>{t('flowAdmin.participant')}</th>
          <th>{t('flow.state')}</th>
          <th>{t(open ? 'flow.received' : 'flow.handled')}</th>
          {open && <th>{t('flow.due')}</th>}
          <th>
            <span className="visually-hidden">{t('flow.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.workItemId}>
            <td className={styles.name}>
              <div className={styles.nameLine}>
                <Link className={styles.link} to={trackPath(item.workflowInstanceId)} title={item.instanceName}>
                  {item.instanceName}
                </Link>
              </div>
              <p>{[words.workflow(item), item.originator.name].join(' · ')}</p>
            </td>
            <td className={styles.people}>
              {item.participant.name}
              <p>{words.activity(item)}</p>
            </td>
            <td>
              <div className={styles.nameLine}>
                <Marks item={item} />
              </div>
            </td>
            <td className={`${styles.time} tabular`}>{words.time(open ? item.receiveTime : item.finishTime)}</td>
            {open && (
              <td className={`${styles.time} tabular`} data-late={item.overdue || undefined}>
                {words.time(item.dueTime)}
              </td>
            )}
            <td className={styles.act}>
              <Acts {...props} item={item} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The same where there is no room for columns. */
function TaskCards(props: RowsProps) {
  const { items, open } = props
  const words = useFlowWords()
  return (
    <ul className={styles.cards}>
      {items.map((item) => (
        <li key={item.workItemId}>
          <div className={styles.cardHead}>
            <Link className={styles.link} to={trackPath(item.workflowInstanceId)}>
              {item.instanceName}
            </Link>
          </div>
          <p className={styles.cardText}>
            {[item.participant.name, words.activity(item), words.workflow(item), item.originator.name].join(' · ')}
          </p>
          <div className={styles.cardFoot}>
            <Marks item={item} />
            <p className="tabular">{words.time(open ? item.receiveTime : item.finishTime)}</p>
            {open && item.dueTime && (
              <p className="tabular" data-late={item.overdue || undefined}>
                {words.t('flow.dueAt', { time: words.time(item.dueTime) })}
              </p>
            )}
            <span className={styles.acts}>
              <Acts {...props} item={item} />
            </span>
          </div>
        </li>
      ))}
    </ul>
  )
}
