import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useErrorText } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { Sheet } from '@/sdk/sheet'
import { type FlowWords, useFlowWords } from '../task/words'
import frame from '../workflow.module.css'
import { type Fitting, migrate } from './admin-api'
import { Misfits } from './misfits'
import styles from './versions.module.css'

interface Props {
  workflowCode: string
  instances: Fitting[]
  onClose: () => void
  onDone: () => void
}

/** Shows what would become of instances, and lets them go on by the current definition. */
export function MigrateDialog({ workflowCode, instances, onClose, onDone }: Props) {
  const words = useFlowWords()
  const { t } = words
  const say = useFeedback()
  const errorText = useErrorText()
  const client = useQueryClient()
  const [ids] = useState(() => instances.map(({ workflowInstanceId }) => workflowInstanceId))
  const [done, setDone] = useState(0)
  const named = (results: Fitting[]) =>
    results.map((one) => ({
      ...one,
      instanceName:
        one.instanceName ||
        (instances.find((of) => of.workflowInstanceId === one.workflowInstanceId)?.instanceName ?? ''),
    }))
  const preview = useQuery({
    queryKey: ['workflow-migration', workflowCode, ids],
    queryFn: async () => named(await migrate(workflowCode, ids, true)),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const ready = (preview.data ?? []).filter(fits)
  const doing = useMutation({
    mutationFn: async () => {
      const moving = ready.map(({ workflowInstanceId }) => workflowInstanceId)
      return named(await migrate(workflowCode, moving, false, setDone))
    },
    onSuccess: (results) => {
      const moved = results.filter((one) => one.moved).length
      if (moved > 0) say.success(t('flowVersions.moved', { count: moved }))
      if (moved < results.length) return
      onDone()
      onClose()
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['workflow'] }),
  })
  const stayed = doing.data?.filter((one) => !one.moved)
  const refused = doing.error ?? preview.error
  const close = () => {
    if (doing.isPending) return
    if (doing.data) onDone()
    onClose()
  }
  return (
    <Sheet
      title={t('flowVersions.title')}
      width={560}
      onClose={close}
      footer={
        <div className={frame.foot}>
          <Button disabled={doing.isPending} onClick={close}>
            {t(doing.data ? 'common.close' : 'common.cancel')}
          </Button>
          {!doing.data && (
            <Button
              type="primary"
              disabled={ready.length === 0}
              loading={doing.isPending}
              onClick={() => doing.mutate()}
            >
              {t('flowVersions.migrate')}
            </Button>
          )}
        </div>
      }
    >
      <div className={styles.preview} aria-live="polite">
        {preview.isPending && <p>{t('flowVersions.previewing')}</p>}
        {preview.data && !doing.data && (
          <>
            <p>{ready.length > 0 ? t('flowVersions.willMove', { count: ready.length }) : t('flowVersions.nothing')}</p>
            <Names of={ready} words={words} />
            <Staying
              text={t('flowVersions.willStay', { count: preview.data.length - ready.length })}
              of={preview.data.filter((one) => !fits(one))}
              words={words}
            />
          </>
        )}
        {doing.isPending && done > 0 && <p>{t('flowVersions.progress', { done, count: ready.length })}</p>}
        {stayed && <Staying text={t('flowVersions.stayed', { count: stayed.length })} of={stayed} words={words} />}
      </div>
      {refused && (
        <p className={styles.wrong} role="alert">
          {errorText(refused)}
        </p>
      )}
    </Sheet>
  )
}

const fits = ({ misfits, errcode }: Fitting) => misfits.length === 0 && errcode === 0

const NAMED = 20

/** The first of them by name. */
function Names({ of, words }: { of: Fitting[]; words: FlowWords }) {
  return (
    <ul className={styles.names}>
      {of.slice(0, NAMED).map((one) => (
        <li key={one.workflowInstanceId}>
          {one.instanceName}{' '}
          <span className={styles.note}>{one.at.map(words.name).join(words.locale === 'zh' ? '、' : ', ')}</span>
        </li>
      ))}
      {of.length > NAMED && <li>…</li>}
    </ul>
  )
}

function Staying({ text, of, words }: { text: string; of: Fitting[]; words: FlowWords }) {
  if (of.length === 0) return null
  return (
    <>
      <p>{text}</p>
      <ul className={styles.names}>
        {of.map((one) => (
          <li key={one.workflowInstanceId}>
            {one.instanceName}
            {one.misfits.length > 0 ? (
              <Misfits of={one} words={words} />
            ) : (
              <span className={styles.note}> {one.errmsg || words.t('flowVersions.changed')}</span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
