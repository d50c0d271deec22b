import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useId, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import type { Entry } from '@/api/types'
import { EntryPicker } from '@/sdk/entry-picker'
import { useErrorText } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { Sheet } from '@/sdk/sheet'
import type { WorkItem } from '@/sdk/work-items'
import { ReasonBox } from '../task/reason-box'
import styles from '../task/task.module.css'
import { useOnce } from '../task/use-once'
import { useFlowWords } from '../task/words'
import { overBy } from '../task/words-box'
import { findSuccessors, handOver } from './admin-api'

interface Props {
  /** Whose tasks: all of them, or the one that is given. */
  from: { id: string; name: string }
  item?: WorkItem
  onClose: () => void
}

interface Outcome {
  count: number
  refused: { workflowInstanceId: string; instanceName: string; errmsg: string }[]
}

/** Gives tasks of a person to another: what could not be given stays on screen with the reason. */
export function HandOverDialog({ from, item, onClose }: Props) {
  const { t } = useFlowWords()
  const id = useId()
  const say = useFeedback()
  const errorText = useErrorText()
  const client = useQueryClient()
  const [to, setTo] = useState<Entry[]>([])
  const [reason, setReason] = useState('')
  const box = useRef<{ focus: () => void }>(null)
  const [tried, setTried] = useState(false)
  const sent = useOnce()
  const doing = useMutation({
    mutationFn: async (): Promise<Outcome> => {
      const out: Outcome = { count: 0, refused: [] }
      const request = {
        from: from.id,
        to: to[0]?.id ?? '',
        ...(item && { workItemIds: [item.workItemId] }),
        ...(reason.trim() && { opinion: reason.trim() }),
      }
      for (;;) {
        const { results, left } = await handOver(request, sent.keyOf(request))
        sent.arrived()
        const count = results.reduce((sum, one) => sum + one.count, 0)
        out.count += count
        out.refused = results.filter((one) => one.errcode !== 0)
        if (left === 0 || count === 0) return out
      }
    },
    onSuccess: ({ count, refused }) => {
      if (refused.length > 0) return
      say.success(t(count === 0 ? 'flowAdmin.nothingOpen' : 'flowAdmin.handedOver', { count }))
      onClose()
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) say.error(error)
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['workflow'] }),
  })
  const lacks = to.length === 0
  const run = () => {
    setTried(true)
    if (lacks || doing.isPending) return
    if (overBy(reason) > 0) return box.current?.focus()
    doing.mutate()
  }
  const refused = doing.data?.refused ?? []
  const person = from.name
  return (
    <Sheet
      title={item ? t('flowAdmin.replaceOne', { name: item.instanceName }) : t('flowAdmin.handOverTitle', { person })}
      width={520}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <Button onClick={onClose}>{t(refused.length > 0 ? 'flowAdmin.close' : 'common.cancel')}</Button>
          <Button type="primary" loading={doing.isPending} onClick={run}>
            {t(item ? 'flowAdmin.replace' : 'flowAdmin.handOver')}
          </Button>
        </div>
      }
    >
      <p className={styles.ask}>{t(item ? 'flowAdmin.replaceText' : 'flowAdmin.handOverText', { person })}</p>
      <div className={styles.field}>
        <label htmlFor={`${id}-to`} className={styles.label}>
          {t('flowAdmin.successor')}
          <span className={styles.star} aria-hidden="true">
            *
          </span>
        </label>
        <EntryPicker
          id={`${id}-to`}
          schemaCode=""
          propertyCode="workItemParticipants"
          find={findSuccessors}
          value={to}
          onChange={setTo}
          invalid={tried && lacks}
          describedBy={`${id}-to-note`}
          autoFocus
        />
        <span id={`${id}-to-note`} className={styles.wrong} role="alert">
          {tried && lacks && t('flowAdmin.successorNeeded')}
        </span>
      </div>
      <ReasonBox value={reason} onChange={setReason} focus={box} />
      {doing.error instanceof ApiError && (
        <p className={styles.wrong} role="alert">
          {errorText(doing.error)}
        </p>
      )}
      {refused.length > 0 && (
        <div role="alert">
          <p className={styles.wrong}>{t('flowAdmin.handOverFailed', { count: refused.length })}</p>
          <ul className={styles.refused}>
            {refused.map((one) => (
              <li key={one.workflowInstanceId}>
                {one.instanceName} <span className={styles.note}>{one.errmsg}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Sheet>
  )
}
