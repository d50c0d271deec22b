import { Button, Skeleton, Tabs } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { MessageKind, UnreadMessages } from '@/api/types'
import { useText } from '@/sdk/use-text'
import styles from './message.module.css'
import { MessageRow } from './message-row'
import { firstKind, NoMessages, useKinds } from './parts'
import { useMessageActions, useMessages } from './use-messages'

const PAGE = 10

interface Props {
  unread: UnreadMessages
  onClose: () => void
}

/** The last messages under the bell. It opens with the tab in which something waits. */
export function MessagePopover({ unread, onClose }: Props) {
  const t = useText()
  const [kind, setKind] = useState<MessageKind>(() => firstKind(unread))
  const kinds = useKinds(unread)
  const { messages, isPending, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useMessages(
    kind,
    '',
    PAGE,
  )
  const actions = useMessageActions()
  return (
    <div className={styles.popover}>
      <div className={styles.popoverHead}>
        <Tabs size="small" items={kinds} activeKey={kind} onChange={(key) => setKind(key as MessageKind)} />
      </div>
      <div className={styles.popoverList}>
        {isPending && (
          <Skeleton active title={false} avatar className={styles.skeleton ?? ''} paragraph={{ rows: 2 }} />
        )}
        {isError && messages.length === 0 && <NoMessages text={t('message.failed')} onRetry={() => void refetch()} />}
        {!isPending && !isError && messages.length === 0 && <NoMessages text={t('message.empty')} />}
        <ul>
          {messages.map((message) => (
            <MessageRow
              key={message.id}
              message={message}
              onOpen={(one) => {
                onClose()
                actions.open(one)
              }}
            />
          ))}
        </ul>
        {hasNextPage && (
          <button
            type="button"
            className={styles.more}
            disabled={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {isFetchingNextPage ? t('common.loading') : t('message.more')}
          </button>
        )}
      </div>
      <div className={styles.popoverFoot}>
        <Button
          type="text"
          size="small"
          disabled={unread[kind] === 0}
          loading={actions.marking}
          onClick={() => actions.readAll(kind)}
        >
          {t('message.readAll')}
        </Button>
        <Link to={`/message-notification?type=${kind}`} onClick={onClose}>
          {t('message.all')}
        </Link>
      </div>
    </div>
  )
}
