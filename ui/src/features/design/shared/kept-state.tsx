import { Button } from 'antd'
import { Icon } from '@/components/icon'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'

interface Props {
  state: string
  onRetry: () => void
  /** Begins with what is published again; undefined: nothing is. */
  onDiscard: (() => Promise<unknown>) | undefined
}

/** Whether the server has what was changed, and a way to give it up. */
export function KeptState({ state, onRetry, onDiscard }: Props) {
  const t = useText()
  const { modal } = useFeedback()
  const ask = () =>
    modal.confirm({
      title: t('desk.discardTitle'),
      content: t('desk.discardText'),
      okText: t('desk.discard'),
      okButtonProps: { danger: true },
      cancelText: t('common.cancel'),
      onOk: onDiscard,
    })
  return (
    <>
      {state === 'failed' ? (
        <Button size="small" danger onClick={onRetry}>
          {t('desk.notKept')}
        </Button>
      ) : (
        <span className={styles.state} role="status">
          {t(state === 'kept' ? 'desk.kept' : 'desk.keeping')}
        </span>
      )}
      {onDiscard && (
        <Button
          type="text"
          aria-label={t('desk.discard')}
          title={t('desk.discard')}
          icon={<Icon name="trash" />}
          onClick={ask}
        />
      )}
    </>
  )
}
