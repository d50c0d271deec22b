import { Button } from 'antd'
import type { MessageKind, UnreadMessages } from '@/api/types'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import styles from './message.module.css'

/** The two tabs of messages, with what waits in each. */
export function useKinds(unread: UnreadMessages) {
  const t = useText()
  const label = (name: string, count: number) => (count > 0 ? `${name} ${count > 99 ? '99+' : count}` : name)
  return [
    { key: 'STATION', label: label(t('message.station'), unread.STATION) },
    { key: 'COMMENT', label: label(t('message.comment'), unread.COMMENT) },
  ]
}

/** Instead of messages: that there are none, or that they did not come. */
export function NoMessages({ text, onRetry }: { text: string; onRetry?: () => void }) {
  const t = useText()
  return (
    <div className={styles.empty} role="status">
      <Icon name={onRetry ? 'alert' : 'inbox'} size={32} />
      <p>{text}</p>
      {onRetry && <Button onClick={onRetry}>{t('common.retry')}</Button>}
    </div>
  )
}

/** The tab to open with: the one in which something waits. */
export const firstKind = (unread: UnreadMessages): MessageKind =>
  unread.STATION === 0 && unread.COMMENT > 0 ? 'COMMENT' : 'STATION'
