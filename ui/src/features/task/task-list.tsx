import { Button, Progress } from 'antd'
import { OptionDot } from '@/components/option-dot'
import { formatInstant } from '@/lib/dates'
import { useIsNarrow } from '@/lib/use-media'
import { isLive, percentOf } from '@/sdk/jobs'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import type { Task } from './api'
import styles from './task.module.css'
import { COLOURS, useTaskWords } from './task-words'

interface ListProps {
  tasks: Task[]
  all: boolean
  now: number
  onOpen: (task: Task) => void
  onAct: (task: Task, what: 'cancel' | 'retry') => void
}

/** What can be done to a task now. */
export const actionOf = (task: Task): 'cancel' | 'retry' | null =>
  isLive(task) ? 'cancel' : task.state === 'done' ? null : 'retry'

export function TaskState({ task }: { task: Task }) {
  const words = useTaskWords()
  return <OptionDot label={words.state(task)} color={COLOURS[task.state]} />
}

/** A bar while it runs, figures while it runs and after. */
export function TaskProgress({ task }: { task: Task }) {
  const words = useTaskWords()
  return (
    <div className={styles.progress}>
      {isLive(task) && task.total > 0 && (
        <Progress
          percent={percentOf(task)}
          size="small"
          showInfo={false}
          aria-label={`${task.title} ${words.progress(task)}`}
        />
      )}
      <span className="tabular">{words.progress(task)}</span>
    </div>
  )
}

function Act({ task, onAct }: Pick<ListProps, 'onAct'> & { task: Task }) {
  const t = useText()
  const what = actionOf(task)
  if (!what) return null
  return (
    <Button
      size="small"
      disabled={task.cancelling && what === 'cancel'}
      aria-label={t(`task.${what}One`, { title: task.title })}
      onClick={() => onAct(task, what)}
    >
      {t(`task.${what}`)}
    </Button>
  )
}

export function TaskTable({ tasks, all, now, onOpen, onAct }: ListProps) {
  const t = useText()
  const words = useTaskWords()
  const context = useTextContext()
  const narrow = useIsNarrow()
  const full = all && !narrow
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th>{t('task.task')}</th>
          <th>{t('task.state')}</th>
          {full && <th>{t('task.owner')}</th>}
          <th>{t('task.progress')}</th>
          <th className={styles.figure}>{t('task.duration')}</th>
          {full && <th>{t('task.node')}</th>}
          {full && <th className={styles.figure}>{t('task.attempts')}</th>}
          <th>{t('task.created')}</th>
          <th>
            <span className="visually-hidden">{t('task.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tasks.map((task) => (
          <tr key={task.id}>
            <td className={styles.name}>
              <button type="button" className={styles.link} title={task.title} onClick={() => onOpen(task)}>
                {task.title || words.kind(task.kind)}
              </button>
              {task.error && !(narrow && task.owner) ? (
                <p className={styles.bad} title={task.error.message}>
                  {task.error.message}
                </p>
              ) : (
                all && <p>{narrow && task.owner ? words.owner(task.owner) : words.kind(task.kind)}</p>
              )}
            </td>
            <td>
              <TaskState task={task} />
            </td>
            {full && <td className={styles.owner}>{task.owner && words.owner(task.owner)}</td>}
            <td>
              <TaskProgress task={task} />
            </td>
            <td className={`${styles.figure} tabular`}>{words.duration(task, now)}</td>
            {full && (
              <td className={styles.node} title={task.node ?? undefined}>
                {task.node}
              </td>
            )}
            {full && (
              <td className={`${styles.figure} tabular`}>
                {task.attempt ? t('task.attemptShort', { attempt: task.attempt, attempts: task.attempts ?? 0 }) : ''}
              </td>
            )}
            <td className={`${styles.time} tabular`}>
              <time dateTime={task.createdTime}>{formatInstant(task.createdTime, 'yyyy-MM-dd HH:mm', context)}</time>
            </td>
            <td className={styles.act}>
              <Act task={task} onAct={onAct} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The same on a phone. */
export function TaskCards({ tasks, all, now, onOpen, onAct }: ListProps) {
  const words = useTaskWords()
  const context = useTextContext()
  return (
    <ul className={styles.cards}>
      {tasks.map((task) => (
        <li key={task.id}>
          <div className={styles.cardHead}>
            <button type="button" className={styles.link} onClick={() => onOpen(task)}>
              {task.title || words.kind(task.kind)}
            </button>
            <TaskState task={task} />
          </div>
          {task.error && <p className={styles.bad}>{task.error.message}</p>}
          <TaskProgress task={task} />
          <div className={styles.cardFoot}>
            <p>
              {[
                all && task.owner && words.owner(task.owner),
                formatInstant(task.createdTime, 'MM-dd HH:mm', context),
                words.duration(task, now),
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
            <Act task={task} onAct={onAct} />
          </div>
        </li>
      ))}
    </ul>
  )
}
