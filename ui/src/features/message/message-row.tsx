import type { Message } from '@/api/types'
import { Avatar } from '@/components/avatar'
import { Icon } from '@/components/icon'
import { Ago } from '@/sdk/ago'
import { useText } from '@/sdk/use-text'
import styles from './message.module.css'

interface Props {
  message: Message
  onOpen: (message: Message) => void
}

/** One message: who, what, when; a dot and its word say that it was not read. */
export function MessageRow({ message, onOpen }: Props) {
  const t = useText()
  const { title, content, senderVO: sender } = message
  const unread = message.readState === 'UNREADED'
  return (
    <li>
      <button type="button" className={styles.row} data-unread={unread || undefined} onClick={() => onOpen(message)}>
        {sender ? (
          <Avatar name={sender.name} src={sender.imgUrl} size={32} />
        ) : (
          <span className={styles.system} role="img" aria-label={t('message.system')}>
            <Icon name="bell" />
          </span>
        )}
        <span className={styles.said}>
          <span className={styles.title}>{title}</span>
          {content && <span className={styles.content}>{content}</span>}
          <Ago time={message.createdTime} className={styles.time} />
        </span>
        {unread && <span className={styles.dot} role="img" aria-label={t('message.isUnread')} />}
      </button>
    </li>
  )
}
