import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { readStored, writeStored } from '@/lib/stored'
import { useFeedback } from '@/sdk/feedback'
import { Sheet } from '@/sdk/sheet'
import { useText } from '@/sdk/use-text'
import type { ListController } from '../use-list-controller'
import { type BulkOutcome, liveJobQuery } from './api'
import styles from './bulk.module.css'
import { type Finish, FinishContext } from './bulk-change'
import { OutcomeResults } from './results'

const BatchLog = lazy(() => import('../batch/batch-log').then((m) => ({ default: m.BatchLog })))
const JobDialog = lazy(() => import('./job-dialog').then((m) => ({ default: m.JobDialog })))

/** The dialog of the action that is open, the progress of jobs, and the results of changes to many records. */
export function BulkLayer({ controller }: { controller: ListController }) {
  const t = useText()
  const say = useFeedback()
  const client = useQueryClient()
  const { store, config, refresh } = controller
  const dialog = useStore(store, (state) => state.bulk)
  const open = useStore(store, (state) => state.dialog)
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null)
  const { data: live } = useQuery(liveJobQuery(config.schemaCode))
  const [job, setJob] = useFollowed(config.schemaCode)
  useEffect(() => {
    if (live && !job) setJob({ id: live.id, open: false })
  }, [live, job, setJob])
  const close = () => store.getState().openBulk(null)
  const reload = useCallback(() => {
    void refresh()
    void client.invalidateQueries({ queryKey: ['list', config.schemaCode, 'batch-log'] })
    void client.invalidateQueries({ queryKey: ['record', config.schemaCode] })
  }, [client, config, refresh])
  const finish: Finish = (result, success) => {
    close()
    store.getState().openDialog(null)
    store.getState().clearSelection()
    if (result.jobId) {
      setJob({ id: result.jobId, open: true })
      return
    }
    const toLog = result.logId
      ? { label: t('bulk.logAndUndo'), run: () => store.getState().openBulk({ kind: 'log' }) }
      : null
    if (result.failCount === 0 && result.warnCount === 0) say.success(success, toLog)
    else setOutcome(result)
    reload()
  }
  return (
    <Suspense fallback={null}>
      {open && (
        <FinishContext value={finish}>
          <open.Dialog context={open.context} onClose={() => store.getState().openDialog(null)} />
        </FinishContext>
      )}
      {dialog?.kind === 'log' && (
        <Sheet
          title={t('bulk.logOf')}
          width={810}
          onClose={close}
          footer={
            <div className={styles.foot}>
              <span />
              <Button type="primary" onClick={close}>
                {t('common.close')}
              </Button>
            </div>
          }
        >
          <BatchLog config={config} onFinish={finish} />
        </Sheet>
      )}
      {dialog?.kind === 'job' && <Follow id={dialog.id} start={(id) => setJob({ id, open: true })} close={close} />}
      {outcome && (
        <Sheet
          title={t('bulk.resultsTitle')}
          width={720}
          onClose={() => setOutcome(null)}
          footer={
            <div className={styles.foot}>
              <span />
              {outcome.logId && (
                <Button
                  onClick={() => {
                    setOutcome(null)
                    store.getState().openBulk({ kind: 'log' })
                  }}
                >
                  {t('bulk.logAndUndo')}
                </Button>
              )}
              <Button type="primary" onClick={() => setOutcome(null)}>
                {t('common.close')}
              </Button>
            </div>
          }
        >
          <OutcomeResults config={config} outcome={outcome} />
        </Sheet>
      )}
      {job && (
        <JobDialog
          key={job.id}
          config={config}
          id={job.id}
          open={job.open}
          onHide={() => setJob({ ...job, open: false })}
          onOpen={() => setJob({ ...job, open: true })}
          onClose={() => setJob(null)}
          onEnded={reload}
          onLog={() => store.getState().openBulk({ kind: 'log' })}
        />
      )}
    </Suspense>
  )
}

interface Followed {
  id: string
  open: boolean
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** The job that is followed; a page opened again finds it, also when it has ended meanwhile. */
function useFollowed(schemaCode: string) {
  const key = `${schemaCode}_bulk_job`
  const [job, setJob] = useState<Followed | null>(() => {
    const id = readStored(key, isText)
    return id ? { id, open: false } : null
  })
  const follow = useCallback(
    (next: Followed | null) => {
      setJob(next)
      writeStored(key, next?.id ?? null)
    },
    [key],
  )
  return [job, follow] as const
}

/** Hands a job that an action began to the layer. */
function Follow({ id, start, close }: { id: string; start: (id: string) => void; close: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a job
  useEffect(() => {
    start(id)
    close()
  }, [id])
  return null
}
