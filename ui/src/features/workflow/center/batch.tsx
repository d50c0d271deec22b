import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { Icon } from '@/components/icon'
import { useFeedback } from '@/sdk/feedback'
import { Sheet } from '@/sdk/sheet'
import { useText } from '@/sdk/use-text'
import type { WorkItem } from '@/sdk/work-items'
import { agreeToAll } from '../api'
import { useOnce } from '../task/use-once'
import { overBy, WordsBox } from '../task/words-box'
import styles from '../workflow.module.css'

/** Comes up when tasks are ticked. */
export function BatchBar({ items, onDone }: { items: WorkItem[]; onDone: () => void }) {
  const t = useText()
  const [asking, setAsking] = useState(false)
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('flow.actions')}>
      <span className={styles.count} aria-live="polite">
        {t('flow.ticked', { count: items.length })}
      </span>
      <Button type="primary" onClick={() => setAsking(true)}>
        {t('flow.batchAgree')}
      </Button>
      <span className={styles.gap} />
      <Button type="text" aria-label={t('list.clearSelection')} icon={<Icon name="close" />} onClick={onDone} />
      {asking && (
        <BatchDialog
          items={items}
          onClose={(done) => {
            setAsking(false)
            if (done) onDone()
          }}
        />
      )}
    </div>
  )
}

/** Comes up when copies are ticked. */
export function ReadBar({
  count,
  reading,
  onRead,
  onDone,
}: {
  count: number
  reading: boolean
  onRead: () => void
  onDone: () => void
}) {
  const t = useText()
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('flow.actions')}>
      <span className={styles.count} aria-live="polite">
        {t('flow.ticked', { count })}
      </span>
      <Button type="primary" loading={reading} onClick={onRead}>
        {t('flow.markRead')}
      </Button>
      <span className={styles.gap} />
      <Button type="text" aria-label={t('list.clearSelection')} icon={<Icon name="close" />} onClick={onDone} />
    </div>
  )
}

/** Agrees to several tasks with one opinion, and names those that could not be agreed to. */
export function BatchDialog({ items, onClose }: { items: WorkItem[]; onClose: (done: boolean) => void }) {
  const t = useText()
  const say = useFeedback()
  const client = useQueryClient()
  // The list behind is read again while the answer is still shown.
  const [asked] = useState(items)
  const sent = useOnce()
  const [opinion, setOpinion] = useState('')
  const box = useRef<{ focus: () => void }>(null)
  const agreeing = useMutation({
    mutationFn: () =>
      agreeToAll(
        asked.map((item) => item.workItemId),
        opinion.trim(),
        sent.keyOf(opinion.trim()),
      ),
    onSuccess: (results) => {
      const good = results.filter(({ errcode }) => errcode === 0).length
      if (good > 0) say.success(t('flow.batchDone', { count: good }))
      if (good === results.length) onClose(true)
    },
    onError: say.error,
    onSettled: () => void client.invalidateQueries({ queryKey: ['workflow'] }),
  })
  const run = () => {
    if (overBy(opinion) > 0) return box.current?.focus()
    agreeing.mutate()
  }
  const failed = (agreeing.data ?? []).filter(({ errcode }) => errcode !== 0)
  const name = (workItemId: string) => asked.find((item) => item.workItemId === workItemId)?.instanceName
  return (
    <Sheet
      title={
        failed.length > 0
          ? t('flow.batchFailed', { count: failed.length })
          : t('flow.batchTitle', { count: asked.length })
      }
      width={480}
      onClose={() => onClose(failed.length > 0)}
      footer={
        <div className={styles.foot}>
          {failed.length > 0 ? (
            <Button onClick={() => onClose(true)}>{t('common.close')}</Button>
          ) : (
            <>
              <Button onClick={() => onClose(false)}>{t('common.cancel')}</Button>
              <Button type="primary" loading={agreeing.isPending} onClick={run}>
                {t('flow.agree')}
              </Button>
            </>
          )}
        </div>
      }
    >
      {failed.length > 0 ? (
        <ul className={styles.failed}>
          {failed.map(({ workItemId, errmsg }) => (
            <li key={workItemId}>
              <span>{name(workItemId)}</span>
              <span className={styles.bad}>{errmsg}</span>
            </li>
          ))}
        </ul>
      ) : (
        <WordsBox
          label={t('flow.opinion')}
          placeholder={t('flow.opinionHint')}
          rows={3}
          value={opinion}
          onChange={setOpinion}
          focus={box}
        />
      )}
    </Sheet>
  )
}
