import { Alert, Button, Skeleton } from 'antd'
import { useState } from 'react'
import type { Comment } from '@/api/types'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import { addComment, type Place } from './api'
import styles from './comment.module.css'
import { Composer } from './composer'
import { Entry } from './entry'
import type { Kept } from './kept'
import type { Comments } from './use-comments'
import { useThread } from './use-thread'

interface Props {
  place: Place
  comments: Comments
  /** The comment to show. */
  target: string | null
  kept: Kept
}

/** What was said about a record, the newest at the end, above the place to say something. */
export function Panel({ place, comments, target, kept }: Props) {
  const t = useText()
  const [replyTo, setReplyTo] = useState<Comment | null>(null)
  const thread = useThread(comments, target)
  const { comments: all, isPending, isError, hasNextPage, isFetchingNextPage } = comments
  return (
    <div className={styles.panel}>
      <section ref={thread.box} className={styles.thread} aria-label={t('comment.list')}>
        {hasNextPage && (
          <Button type="link" size="small" block loading={isFetchingNextPage} onClick={thread.earlier}>
            {t('comment.earlier')}
          </Button>
        )}
        {thread.gone && <Alert type="info" showIcon title={t('comment.gone')} className={styles.note ?? ''} />}
        {isPending && <Skeleton active title={false} avatar />}
        {isError && (
          <div className={styles.empty} role="status">
            <Icon name="alert" size={28} />
            <p>{t('comment.failed')}</p>
            <Button onClick={() => void comments.refetch()}>{t('common.retry')}</Button>
          </div>
        )}
        {comments.isSuccess && all.length === 0 && (
          <div className={styles.empty} role="status">
            <Icon name="talk" size={28} />
            <p>{t('comment.empty')}</p>
            <small>{t('comment.emptyText')}</small>
          </div>
        )}
        <ol>
          {all.map((comment) => (
            <Entry
              key={comment.id}
              place={place}
              comment={comment}
              marked={thread.marked === comment.id}
              onReply={() => setReplyTo(comment)}
              onShow={thread.show}
              onChanged={() => void comments.refetch()}
            />
          ))}
        </ol>
      </section>
      <footer className={styles.foot}>
        <Composer
          place={place}
          replyTo={replyTo}
          kept={kept}
          onCancel={() => setReplyTo(null)}
          onSend={async (draft, key) => {
            await addComment(place, replyTo?.id ?? null, draft, key)
            setReplyTo(null)
            thread.stayAtEnd()
            await comments.refetch()
          }}
        />
      </footer>
    </div>
  )
}
