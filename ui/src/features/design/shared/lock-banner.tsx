import { Button } from 'antd'
import { useState } from 'react'
import { Icon } from '@/components/icon'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import type { LockState } from './use-lock'

interface Props {
  state: LockState
  /** There are changes that only this browser has. */
  changed: boolean
  onTakeOver: () => Promise<unknown>
  onRetry: () => Promise<unknown>
  onCopy: () => void
}

/** Who else edits the document, and what can be done about it. */
export function LockBanner({ state, changed, onTakeOver, onRetry, onCopy }: Props) {
  const t = useText()
  const say = useFeedback()
  const [busy, setBusy] = useState(false)
  if (state.is !== 'taken' && state.is !== 'lost') return null
  const name = state.by || t('desk.somebody')
  const run = (act: () => Promise<unknown>) => {
    setBusy(true)
    act()
      .catch(say.error)
      .finally(() => setBusy(false))
  }
  const ask = () =>
    say.modal.confirm({
      title: t('desk.takeOverTitle', { name }),
      content: t('desk.takeOverText', { name }),
      okText: t('desk.takeOver'),
      cancelText: t('common.cancel'),
      onOk: () => run(onTakeOver),
    })
  const lost = state.is === 'lost'
  return (
    <div className={styles.banner} role="alert">
      <Icon name="key" />
      <span>{t(lost ? (changed ? 'desk.lostChanged' : 'desk.lost') : 'desk.takenBy', { name })}</span>
      {state.mayTake && (
        <Button size="small" type="primary" loading={busy} onClick={ask}>
          {t('desk.takeOver')}
        </Button>
      )}
      <Button size="small" disabled={busy} onClick={() => run(onRetry)}>
        {t('common.retry')}
      </Button>
      {changed && (
        <Button size="small" onClick={onCopy}>
          {t('desk.keepCopy')}
        </Button>
      )}
    </div>
  )
}
