import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { type ReactNode, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { FormLoad } from '@/api/types'
import { draftQuery, type OpenedDraft } from '@/sdk/drafts'
import { Failure } from '@/sdk/failure'
import { useFeedback } from '@/sdk/feedback'
import type { FormHandle, FormSender } from '@/sdk/form-sender'
import { reloadStart, startFormQuery, startListQuery, startWorkflow, type WorkflowChoice } from '../api'
import { ChooseDialog, type Chosen, choicesOf } from './choose-dialog'
import styles from './task.module.css'
import { useOnce } from './use-once'
import { useFlowWords } from './words'

interface Props {
  workflowCode: string
  /** A record of the reader that runs in no workflow. */
  objectId: string | null
  /** A draft that the form goes on from. */
  draftId?: string | null
  /** Over a list or a record, which is read again. */
  inDrawer?: boolean
  onClose: () => void
  form: (load: FormLoad, sender: FormSender, draft?: OpenedDraft) => ReactNode
}

/** The form that starts a workflow. */
export function StartForm({ workflowCode, objectId, draftId, inDrawer = false, onClose, form }: Props) {
  const words = useFlowWords()
  const { t } = words
  const client = useQueryClient()
  const navigate = useNavigate()
  const say = useFeedback()
  const from = (useLocation().state as { from?: string } | null)?.from
  const once = useOnce()
  const started = useRef('')
  const chosen = useRef<Chosen>({})
  const [choosing, setChoosing] = useState<WorkflowChoice[] | null>(null)
  const begins = useQuery(startFormQuery(workflowCode, objectId))
  const draft = useQuery({ ...draftQuery(draftId ?? ''), enabled: Boolean(draftId) && !objectId })
  const { data } = begins
  const error = begins.error ?? draft.error
  const refetch = () => Promise.all([begins.refetch(), draft.isError && draft.refetch()])
  const list = useQuery({ ...startListQuery, staleTime: 300_000, retry: false })
  if (error && !(data && !draft.error)) {
    return (
      <Failure
        page
        error={error}
        gone={t('flow.startGone')}
        onRetry={refetch}
        actions={
          <>
            <Button onClick={onClose}>{t('common.close')}</Button>
            <Link to="/workflow-center/start-workflow">{t('workflow.start')}</Link>
          </>
        }
      />
    )
  }
  if (!data || list.isPending || draft.isLoading)
    return <Skeleton active title={false} paragraph={{ rows: 10 }} style={{ padding: 24 }} />
  const known = list.data?.groups.flatMap(({ workflows }) => workflows).find((one) => one.workflowCode === workflowCode)
  const model = words.name({ name: data.form.modelName, name_i18n: data.form.modelName_i18n })
  const handle: { current: FormHandle | null } = { current: null }
  const sender: FormSender = {
    place: `start/${workflowCode}`,
    title: t('flow.startTitle', { name: known ? words.name(known) : model }),
    note: model,
    workflowCode,
    editing: true,
    // What is not there yet is put aside; starting is for its button.
    onSaveKey: () => (handle.current?.keep ? handle.current.keep.run() : handle.current?.send(true)),
    send: async ({ version, data: changed }) => {
      const request = {
        workflowCode,
        ...(data.id && version !== null ? { objectId: data.id, version } : {}),
        data: changed,
        ...(Object.keys(chosen.current).length > 0 ? { startUserChoice: chosen.current } : {}),
      }
      const done = await startWorkflow(request, once.keyOf(request)).catch((error: unknown) => {
        setChoosing((now) => choicesOf(error) ?? now)
        throw error
      })
      once.arrived()
      started.current = done.workflowInstanceId
      return { id: done.bizObjectId, version: done.version }
    },
    reload: () => reloadStart(workflowCode, objectId),
    onSent: () => {
      void client.invalidateQueries({ queryKey: ['workflow'] })
      for (const kind of ['list', 'record']) void client.invalidateQueries({ queryKey: [kind, data.form.schemaCode] })
      if (inDrawer) {
        say.success(t('workflow.started'))
        onClose()
        return
      }
      const search = new URLSearchParams({ workflowInstanceId: started.current, startWorkflowCode: workflowCode })
      if (from) search.set('return', from)
      void navigate(`/shared/success?${search}`, { replace: true })
    },
    foot: (now) => {
      handle.current = now
      return (
        <footer className={styles.bar}>
          {choosing && (
            <ChooseDialog
              choices={choosing}
              sending={now.sending}
              error=""
              onClose={() => setChoosing(null)}
              onChoose={(people) => {
                chosen.current = people
                now.send(true)
              }}
            />
          )}
          <div className={styles.buttons}>
            <div className={styles.state}>
              {now.state.text && (
                <p data-bad={now.state.faulty || undefined} aria-live="polite">
                  {now.state.text}
                </p>
              )}
            </div>
            <Button onClick={onClose}>{t('common.cancel')}</Button>
            {now.keep && (
              <Button onClick={now.keep.run} loading={now.keep.going} disabled={now.keep.done}>
                {t('draft.keep')}
              </Button>
            )}
            <Button type="primary" loading={now.sending} onClick={() => now.send(true)}>
              {t('flow.startSubmit')}
            </Button>
          </div>
        </footer>
      )
    },
  }
  return form(data, sender, draft.data)
}
