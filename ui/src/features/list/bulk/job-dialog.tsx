import { useQueryClient } from '@tanstack/react-query'
import { Button, Progress } from 'antd'
import type { ListConfig } from '@/api/types'
import { useFeedback } from '@/sdk/feedback'
import { cancelJob, isLive, type Job, percentOf, retryJob, useJob } from '@/sdk/jobs'
import { Sheet } from '@/sdk/sheet'
import { useText } from '@/sdk/use-text'
import styles from './bulk.module.css'
import { JobResults } from './results'

const countsOf = (job: Job) => {
  const { successCount = 0, warnCount = 0, failCount = 0 } = (job.result ?? {}) as Record<string, number | undefined>
  return { success: successCount, warned: warnCount, failed: failCount }
}

interface JobProps {
  config: ListConfig
  id: string
  open: boolean
  onHide: () => void
  onOpen: () => void
  onClose: () => void
  onEnded: () => void
  /** Opens the log, where a batch update can be undone. */
  onLog: () => void
}

/** The progress of a job with its results; hidden it is a button at the list's edge. */
export function JobDialog({ config, id, open, onHide, onOpen, onClose, onEnded, onLog }: JobProps) {
  const t = useText()
  const say = useFeedback()
  const client = useQueryClient()
  const ended = (over: Job, seen: boolean) => {
    if (seen || open) onEnded()
    if (!seen || open || over.state !== 'done') return
    const counts = countsOf(over)
    const words = t(counts.warned > 0 ? 'bulk.jobOverWarned' : 'bulk.jobOver', { title: over.title, ...counts })
    if (counts.failed + counts.warned > 0) say.warning(words)
    else say.success(words)
  }
  const job = useJob(id, ended, onClose)
  if (!job) return null
  const percent = percentOf(job)
  if (!open) {
    return (
      <Button className={styles.pill ?? ''} onClick={onOpen}>
        {t(`bulk.pill.${job.state}`, { title: job.title, percent })}
      </Button>
    )
  }
  const live = isLive(job)
  const act = (call: Promise<unknown>) =>
    void call.then(() => client.invalidateQueries({ queryKey: ['job', id] }), say.error)
  const words = {
    queued: job.ahead > 0 ? t('bulk.ahead', { count: job.ahead }) : t('bulk.queued'),
    running: t('bulk.running', { done: job.done, total: job.total }),
    done: t('bulk.done'),
    failed: t('bulk.failed'),
    cancelled: t('bulk.cancelled'),
  }
  return (
    <Sheet
      title={job.title}
      width={720}
      onClose={live ? onHide : onClose}
      footer={
        <div className={styles.foot}>
          <span className={styles.note}>{live && t('bulk.kept')}</span>
          {live && (
            <Button danger disabled={job.cancelling} onClick={() => act(cancelJob(id))}>
              {job.cancelling ? t('bulk.stopping') : t('bulk.cancel')}
            </Button>
          )}
          {(job.state === 'failed' || job.state === 'cancelled') && (
            <Button onClick={() => act(retryJob(id))}>{t('bulk.retry')}</Button>
          )}
          {!live && job.kind === 'batch_update' && (
            <Button
              onClick={() => {
                onClose()
                onLog()
              }}
            >
              {t('bulk.logAndUndo')}
            </Button>
          )}
          <Button type="primary" onClick={live ? onHide : onClose}>
            {live ? t('bulk.background') : t('common.close')}
          </Button>
        </div>
      }
    >
      <div className={styles.fields} aria-live="polite">
        <Progress percent={percent} status={job.state === 'failed' ? 'exception' : live ? 'active' : 'normal'} />
        <p className={styles.note}>{words[job.state]}</p>
        {job.error && <p className={styles.error}>{job.error.message}</p>}
        {!live && job.done > 0 && <JobResults config={config} id={id} done={job.done} warned={countsOf(job).warned} />}
      </div>
    </Sheet>
  )
}
