import { Skeleton } from 'antd'
import { lazy, Suspense } from 'react'
import { HeaderPopover } from '@/components/header-popover'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import styles from './message.module.css'
import { useUnread } from './use-unread'

const MessagePopover = lazy(() => import('./message-popover').then((m) => ({ default: m.MessagePopover })))

/** The number of unread messages; more than fit are told as such. */
export function UnreadCount({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className={styles.count} data-testid="unread" aria-hidden="true">
      {count > 99 ? '99+' : count}
    </span>
  )
}

/** The header's bell: how many messages wait, and the last ones behind a click. */
export function Bell() {
  const t = useText()
  const unread = useUnread()
  return (
    <HeaderPopover
      label={unread.total > 0 ? t('message.bellCount', { count: unread.total }) : t('message.bell')}
      title={t('message.bell')}
      panel={t('message.title')}
      content={(close) => (
        <Suspense fallback={<Skeleton active title={false} className={styles.popover ?? ''} />}>
          <MessagePopover unread={unread} onClose={close} />
        </Suspense>
      )}
    >
      <Icon name="bell" size={18} />
      <UnreadCount count={unread.total} />
    </HeaderPopover>
  )
}

/** The phone's tab of messages. */
export function BellTab() {
  const unread = useUnread()
  return (
    <span className={styles.tabDot}>
      <Icon name="bell" size={20} />
      <UnreadCount count={unread.total} />
    </span>
  )
}
