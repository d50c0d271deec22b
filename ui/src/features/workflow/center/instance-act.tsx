import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { useFeedback } from '@/sdk/feedback'
import { Sheet } from '@/sdk/sheet'
import { useText } from '@/sdk/use-text'
import type { Instance } from '@/sdk/work-items'
import { actOnInstance, type InstanceAct } from '../api'
import { useOnce } from '../task/use-once'
import { overBy, WordsBox } from '../task/words-box'
import styles from '../workflow.module.css'

export type Asked = { act: InstanceAct; of: Instance }

const TOLD = { revoke: 'revoked', urge: 'urged1', void: 'voided', retry: 'retried' } as const

/** Asks before an instance is taken back, reminded of or voided, with a few words for those it concerns. */
export function ActDialog({ act, of, onClose }: Asked & { onClose: () => void }) {
  const t = useText()
  const box = useRef<{ focus: () => void }>(null)
  const say = useFeedback()
  const client = useQueryClient()
  const sent = useOnce()
  const [opinion, setOpinion] = useState('')
  const doing = useMutation({
    mutationFn: () => actOnInstance(act, of.workflowInstanceId, opinion.trim(), sent.keyOf(opinion.trim())),
    onSuccess: () => {
      say.success(t(`flow.${TOLD[act]}`))
      onClose()
    },
    onError: say.error,
    onSettled: () => void client.invalidateQueries({ queryKey: ['workflow'] }),
  })
  const run = () => {
    if (overBy(opinion) > 0) return box.current?.focus()
    doing.mutate()
  }
  const title = act === 'retry' ? t('flow.retry') : t(`flow.${act}Title`, { name: of.instanceName })
  return (
    <Sheet
      title={title}
      width={480}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="primary" danger={act === 'void'} loading={doing.isPending} onClick={run}>
            {t(`flow.${act}`)}
          </Button>
        </div>
      }
    >
      {act !== 'retry' && <p className={styles.ask}>{t(`flow.${act}Text`)}</p>}
      <WordsBox label={t('flow.opinion')} value={opinion} onChange={setOpinion} focus={box} />
    </Sheet>
  )
}
