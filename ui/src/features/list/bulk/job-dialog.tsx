import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Progress } from 'antd'
import { useEffect, useRef } from 'react'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { followEvents } from '@/api/events'
import type { ListConfig } from '@/api/types'
import { useFeedback } from '@/sdk/feedback'
import { Sheet } from '@/sdk/sheet'
import { useText } from '@/sdk/use-text'
import { cancelJob, isLive, type Job, jobQuery, retryJob } from './api'
import styles from './bulk.module.css'
import { JobResults } from './results'

const JOB_NOT_FOUND = ERROR.JobNotFound

/** A job as it gets on: by events, and by asking when none come. `ended` runs once; `seen` tells that it was under way here. */
export function useJob(id: string, ended: (job: Job, seen: boolean) => void, gone: () => void): Job | undefined {
  const client = useQueryClient()
  const { data, error } = useQuery({
    ...jobQuery(id),
    refetchInterval: ({ state }) => (state.data && !isLive(state.data) ? false : 2000),
  })
  useEffect(() => {
    const reload = () => void client.invalidateQueries({ queryKey: ['job', id], exact: true })
    const onJob = (event: MessageEvent<string>) => {
      if ((JSON.parse(event.data) as { id: string }).id === id) reload()
    }
    return followEvents({ job: onJob }, reload)
  }, [client, id])
  const seen = useRef(false)
  const told = useRef(false)
  const over = data && !isLive(data)
  useEffect(() => {
    if (data && !over) {
      seen.current = true
      told.current = false // under way, perhaps once more
    }
    if (!over || told.current) return
    told.current = true
    ended(data, seen.current)
  }, [over, data, ended])
  const missing = error instanceof ApiError && error.code === JOB_NOT_FOUND
  useEffect(() => {
    if (missing) gone() // another person's, who used this browser before
  }, [missing, gone])
  return data
}

const countsOf = (job: Job) => {
  const { successCount = 0, warnCount = 0, failCount = 0 } = (job.result ?? {}) as Record<string, number | undefined>
  return { success: successCount, warned: warnCount, failed: failCount }
}

const percentOf = (job: Job) => (job.total ? Math.floor((job.done / job.total) * 100) : job.state === 'done' ? 100 : 0)

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
    queued: t('bulk.queued'),
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
