import { Button, Segmented, Skeleton, Tabs } from 'antd'
import { useRef, useState } from 'react'
import type { MessageKind } from '@/api/types'
import { usePageTitle } from '@/lib/page-title'
import { useSearch } from '@/lib/use-search'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import type { ReadState } from './api'
import { byDay } from './by-day'
import styles from './message.module.css'
import { MessageRow } from './message-row'
import { firstKind, NoMessages, useKinds } from './parts'
import { useMessageActions, useMessages } from './use-messages'
import { useScrollEnd } from './use-scroll-end'
import { useUnread } from './use-unread'

const PAGE = 20

/** All messages: by type, unread or read, under their days. */
export function MessagePage() {
  const t = useText()
  usePageTitle(t('message.title'))
  const [search, setSearch] = useSearch()
  // Chosen for one type only: another one begins with what is unread.
  const [chosen, setChosen] = useState<{ kind: MessageKind; state: ReadState } | null>(null)
  const unread = useUnread()
  // What waited when the page came; reading it does not turn the page to another tab.
  const first = useRef<MessageKind>(null)
  if (unread.total > 0) first.current ??= firstKind(unread)
  const asked = (['STATION', 'COMMENT'] as const).find((one) => one === search.get('type'))
  const kind: MessageKind = asked ?? first.current ?? 'STATION'
  const state: ReadState = chosen?.kind === kind ? chosen.state : 'UNREADED'
  const kinds = useKinds(unread)
  const actions = useMessageActions()
  const waiting = unread[kind]
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1 className={styles.pageTitle}>{t('message.title')}</h1>
        <Tabs items={kinds} activeKey={kind} onChange={(key) => setSearch({ type: key }, { replace: true })} />
        <div className={styles.tools}>
          <Segmented<ReadState>
            aria-label={t('message.title')}
            value={state}
            onChange={(next: ReadState) => setChosen({ kind, state: next })}
            options={[
              { value: 'UNREADED', label: waiting > 0 ? `${t('message.unread')} ${waiting}` : t('message.unread') },
              { value: 'READED', label: t('message.read') },
            ]}
          />
          <Button disabled={waiting === 0} loading={actions.marking} onClick={() => actions.readAll(kind)}>
            {t('message.readAll')}
          </Button>
        </div>
      </div>
      <MessageList key={`${kind}/${state}`} kind={kind} state={state} onOpen={actions.open} />
    </div>
  )
}

interface ListProps {
  kind: MessageKind
  state: ReadState
  onOpen: Parameters<typeof MessageRow>[0]['onOpen']
}

function MessageList({ kind, state, onOpen }: ListProps) {
  const t = useText()
  const context = useTextContext()
  const box = useRef<HTMLDivElement>(null)
  const list = useMessages(kind, state, PAGE)
  const { messages, isPending, isError, hasNextPage, isFetching } = list
  // While something is fetched nothing more is; when it has come, the page looks again whether it is full. The time is a part
  // of it: a fetch of the next page that a refetch cancels may begin and end between two renders.
  useScrollEnd(
    box,
    () => hasNextPage && !isFetching && !isError && void list.fetchNextPage(),
    `${isFetching} ${list.dataUpdatedAt}`,
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the part that scrolls is reached by keyboard
    <section ref={box} className={styles.scroll} tabIndex={0} aria-label={t('message.title')}>
      <div className={styles.list}>
        {isPending && (
          <Skeleton active title={false} avatar className={styles.skeleton ?? ''} paragraph={{ rows: 6 }} />
        )}
        {isError && messages.length === 0 && (
          <NoMessages text={t('message.failed')} onRetry={() => void list.refetch()} />
        )}
        {list.isSuccess && messages.length === 0 && (
          <NoMessages text={t(state === 'READED' ? 'message.emptyRead' : 'message.emptyUnread')} />
        )}
        {byDay(messages, context).map(({ day, messages: of }) => (
          <section key={day} aria-label={day}>
            <h2 className={styles.day}>{day}</h2>
            <ul>
              {of.map((message) => (
                <MessageRow key={message.id} message={message} onOpen={onOpen} />
              ))}
            </ul>
          </section>
        ))}
        {messages.length > 0 && (
          <p className={styles.end} role="status">
            {isError ? t('message.failed') : hasNextPage ? t('common.loading') : t('message.loadedAll')}
            {isError && (
              <Button
                type="link"
                size="small"
                onClick={() => void (hasNextPage ? list.fetchNextPage() : list.refetch())}
              >
                {t('common.retry')}
              </Button>
            )}
          </p>
        )}
      </div>
    </section>
  )
}
