import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { formatInstant } from '@/lib/dates'
import { importPath, isLive, jobResultsQuery } from '@/sdk/jobs'
import { Pages } from '@/sdk/pages'
import { Sheet } from '@/sdk/sheet'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { type Task, taskQuery } from './api'
import styles from './task.module.css'
import { actionOf, TaskProgress, TaskState } from './task-list'
import { useNow, useTaskWords } from './task-words'

interface SheetProps {
  task: Task
  all: boolean
  onAct: (task: Task, what: 'cancel' | 'retry') => void
  onClose: () => void
}

/** All that is known of a task. */
export function TaskSheet({ task: listed, all, onAct, onClose }: SheetProps) {
  const t = useText()
  const navigate = useNavigate()
  const { data } = useQuery({
    ...taskQuery(all, listed.id),
    refetchInterval: ({ state }) => (state.data && !isLive(state.data) ? false : 2000),
  })
  const task = data ?? listed
  const what = actionOf(task)
  return (
    <Sheet
      title={task.title || t('task.details')}
      width={640}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          {importPath(task) && !all && (
            <Button onClick={() => void navigate(importPath(task) ?? '')}>{t('task.openImport')}</Button>
          )}
          {what && (
            <Button
              danger={what === 'cancel'}
              disabled={task.cancelling && what === 'cancel'}
              onClick={() => onAct(task, what)}
            >
              {t(`task.${what}`)}
            </Button>
          )}
          <Button type="primary" onClick={onClose}>
            {t('common.close')}
          </Button>
        </div>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls, and holds nothing else that takes the focus */}
      <section tabIndex={0} aria-label={t('task.details')}>
        <Facts task={task} all={all} />
        {all ? <Reasons task={task} /> : !isLive(task) && <Failed key={task.state} id={task.id} />}
      </section>
    </Sheet>
  )
}

function Facts({ task, all }: { task: Task; all: boolean }) {
  const t = useText()
  const words = useTaskWords()
  const context = useTextContext()
  const now = useNow(isLive(task))
  const time = (iso: string | null | undefined) => (iso ? formatInstant(iso, 'yyyy-MM-dd HH:mm:ss', context) : '')
  const figures = task.counts ?? numbersOf(task.result)
  const waits = task.state === 'queued'
  const facts: [string, ReactNode][] = [
    [t('task.state'), <TaskState key="state" task={task} />],
    [t('task.kind'), words.kind(task.kind)],
    [t('task.owner'), task.owner ? words.owner(task.owner) : ''],
    [t('task.progress'), words.progress(task) ? <TaskProgress key="progress" task={task} /> : ''],
    [
      t('task.counts'),
      Object.entries(figures)
        .map(([name, count]) => `${words.figure(name)} ${count.toLocaleString('en-US')}`)
        .join(' · '),
    ],
    [t('task.duration'), words.duration(task, now)],
    [t('task.created'), time(task.createdTime)],
    [t('task.started'), time(task.startedTime)],
    [t('task.finished'), time(task.finishedTime)],
    [t('task.runAt'), waits && task.runTime && Date.parse(task.runTime) > now ? time(task.runTime) : ''],
    [t('task.node'), task.node ?? ''],
    [
      t('task.attempts'),
      task.attempt ? t('task.attemptOf', { attempt: task.attempt, attempts: task.attempts ?? 0 }) : '',
    ],
    [t('task.stalls'), task.stalls ? String(task.stalls) : ''],
    [t('task.id'), <code key="id">{task.id}</code>],
  ]
  return (
    <>
      {task.error && (
        <div className={styles.error} role="alert">
          <strong>{t(waits ? 'task.lastError' : 'task.error')}</strong>
          <p>{task.error.message}</p>
          <p className={styles.note}>
            {t('task.errorCode', { code: task.error.code })}
            {all && task.error.message.includes('…') && ` · ${t('task.withheld')}`}
          </p>
        </div>
      )}
      <dl className={styles.facts}>
        {facts
          .filter(([, value]) => value !== '')
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </>
  )
}

/** The figures of a result; other members belong to the pages that started the work. */
function numbersOf(result: unknown): Record<string, number> {
  if (typeof result !== 'object' || result === null) return {}
  return Object.fromEntries(
    Object.entries(result).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  )
}

/** Why units of anybody's task failed, without their names. */
function Reasons({ task }: { task: Task }) {
  const t = useText()
  if (!task.failures?.length) return null
  return (
    <section className={styles.failed}>
      <h2>{t('task.failures')}</h2>
      <ul>
        {task.failures.map(({ code, message, count }) => (
          <li key={code}>
            <span>{message}</span>
            <span className="tabular">{t('task.failureCount', { count })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const SIZE = 20

/** The failures of the reader's own task, record by record. */
function Failed({ id }: { id: string }) {
  const t = useText()
  const [page, setPage] = useState(0)
  const { data } = useQuery(jobResultsQuery(id, true, page, SIZE))
  if (!data?.totalElements) return null
  return (
    <section className={styles.failed}>
      <h2>{t('task.failedRows')}</h2>
      <ul>
        {data.content.map((row) => (
          <li key={row.sequence}>
            <span>{row.name || t('task.unnamed')}</span>
            <span className={styles.bad}>{row.message}</span>
          </li>
        ))}
      </ul>
      {data.totalElements > SIZE && (
        <Pages
          size="small"
          align="end"
          current={page + 1}
          pageSize={SIZE}
          total={data.totalElements}
          showSizeChanger={false}
          onChange={(next) => setPage(next - 1)}
        />
      )}
    </section>
  )
}
