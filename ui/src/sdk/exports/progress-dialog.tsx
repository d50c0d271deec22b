import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Progress, Skeleton } from 'antd'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { Hint } from '@/components/hint'
import { Icon } from '@/components/icon'
import { formatInstant } from '@/lib/dates'
import { useFeedback } from '@/sdk/feedback'
import { Sheet } from '@/sdk/sheet'
import { useTextContext } from '@/sdk/system'
import { cancelExport, retryExport, sizeText, tasksQuery, wasCanceled } from './api'
import styles from './export.module.css'
import { Lacks } from './lacks'
import { TaskTools } from './task-tools'
import { useExportText } from './texts'
import { useTeller } from './use-teller'
import { aheadOf, isFailed, isRunning, percentOf, type Watched, watch, watchedExports } from './watch'

const WIDTH = 777
/** How many finished exports are shown. */
const FEW = 10
const TICK = 500

interface ProgressProps {
  /** Default: that of exports. */
  title?: string
  onClose: () => void
  onRecords: () => void
}

/** The exports under way, and the newest that are done. What runs goes on when it is closed. */
export function ProgressDialog({ title, onClose, onRecords }: ProgressProps) {
  const t = useExportText()
  const exports = useStore(watchedExports, (state) => state.exports)
  const finished = useQuery(tasksQuery('', 0, FEW))
  useEffect(() => {
    watchedExports.setState({ inside: true })
    return () => watchedExports.setState({ inside: false })
  }, [])
  const running = exports.some(isRunning)
  const now = useNow(running)
  const done = (finished.data?.content ?? []).filter(
    (task) => task.taskStatus === 'END' && !exports.some(({ id }) => id === task.id),
  )
  return (
    <Sheet
      title={title ?? t('progress')}
      width={WIDTH}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <Button type="link" className={styles.toRecords ?? ''} onClick={onRecords}>
            {t('records')}
          </Button>
          <Button type="primary" onClick={onClose}>
            {running ? t('inBackground') : t('complete')}
          </Button>
        </div>
      }
    >
      <div className={styles.form}>
        <section aria-label={t('running')} aria-live="polite" className={styles.status}>
          <h2 className={styles.title}>{t('running')}</h2>
          {exports.length === 0 && <p className={styles.none}>{t('nothingRunning')}</p>}
          {exports.map((one) => (
            <Running key={one.id} watched={one} now={now} />
          ))}
        </section>
        <section aria-label={t('done')}>
          <h2 className={styles.title}>{t('done')}</h2>
          {finished.isPending && <Skeleton active title={false} />}
          {finished.data && done.length === 0 && (
            <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('empty')} />
          )}
          {done.length > 0 && (
            <ul className={styles.finished}>
              {done.map((task) => (
                <li key={task.id}>
                  <Icon name="file" />
                  <span className={styles.name} title={task.name}>
                    {task.name}
                  </span>
                  <span className={styles.faint}>{sizeText(task.fileSize)}</span>
                  <Time at={task.endTime} />
                  <TaskTools task={task} />
                  <Lacks task={task} />
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </Sheet>
  )
}

function Time({ at }: { at: string | null }) {
  const context = useTextContext()
  return <span className={styles.faint}>{at && formatInstant(at, 'yyyy-MM-dd HH:mm', context)}</span>
}

/** An export that is under way, or that failed and can be tried again. */
function Running({ watched, now }: { watched: Watched; now: number }) {
  const t = useExportText()
  const say = useFeedback()
  const teller = useTeller()
  const { task } = watched
  const failed = isFailed(watched)
  const percent = percentOf(watched, now)
  const retry = async () => {
    try {
      if (!watched.lost) await retryExport(watched.jobId)
      watch(watched, teller)
    } catch (error) {
      say.error(error)
    }
  }
  const canceled = task !== null && wasCanceled(task)
  const reason = canceled ? t('canceled') : (task?.error?.message ?? t('generationFailed'))
  // One button, so that the focus stays on it when an export ends.
  const tool = failed
    ? { label: t('retry'), icon: 'refresh' as const, run: retry }
    : { label: t('cancel'), icon: 'close' as const, run: () => cancelExport(watched.jobId).catch(say.error) }
  return (
    <div className={styles.running}>
      <Progress
        type="circle"
        size={48}
        percent={percent}
        status={failed && !canceled ? 'exception' : percent === 100 ? 'success' : 'normal'}
        aria-label={watched.name}
      />
      <div className={styles.what}>
        <span className={styles.name} title={watched.name}>
          {watched.name}
        </span>
        <span className={failed && !canceled ? styles.error : styles.faint}>
          {failed
            ? reason
            : watched.silent
              ? t('silent')
              : task && task.total > 0
                ? t('count', { done: task.done.toLocaleString(), total: task.total.toLocaleString() })
                : task && aheadOf(task) > 0
                  ? `${t('states.INIT')} · ${t('ahead', { count: aheadOf(task) })}`
                  : t('preparing')}
        </span>
      </div>
      {(failed || isRunning(watched)) && (
        <Hint title={tool.label}>
          <Button
            type="text"
            aria-label={tool.label}
            icon={<Icon name={tool.icon} />}
            onClick={() => void tool.run()}
          />
        </Hint>
      )}
    </div>
  )
}

/** The time, read again twice a second while something grows with it. */
function useNow(going: boolean) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!going) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), TICK)
    return () => clearInterval(timer)
  }, [going])
  return now
}
