import { Button } from 'antd'
import { Suspense, useState } from 'react'
import type { Comment, FieldPlan } from '@/api/types'
import { Avatar } from '@/components/avatar'
import { Icon, type IconName } from '@/components/icon'
import { parts } from '@/lib/mentions'
import { propertyUI } from '@/registry/properties'
import { Ago } from '@/sdk/ago'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import { deleteComment, type Place, updateComment } from './api'
import styles from './comment.module.css'
import { Composer } from './composer'
import { ATTACHMENT, filesField } from './files-field'

interface Props {
  place: Place
  comment: Comment
  /** Shown as the one that was asked for. */
  marked: boolean
  onReply: () => void
  onShow: (id: string) => void
  onChanged: () => void
}

/** One comment: who, when, what it replies to, what it says. Of a deleted one only its place is left. */
export function Entry({ place, comment, marked, onReply, onShow, onChanged }: Props) {
  const t = useText()
  const { modal, error } = useFeedback()
  const [editing, setEditing] = useState(false)
  const { author, deleted, mine } = comment
  const name = author.name || t('comment.someone')
  const remove = () =>
    modal.confirm({
      title: t('comment.deleteTitle'),
      content: t('comment.deleteText'),
      okText: t('comment.delete'),
      okButtonProps: { danger: true },
      onOk: () => deleteComment(comment.id).then(onChanged, error),
    })
  const tools: [IconName, string, () => void, boolean][] = [
    ['reply', t('comment.reply'), onReply, true],
    ['edit', t('comment.edit'), () => setEditing(true), mine],
    ['trash', t('comment.delete'), remove, mine],
  ]
  return (
    <li className={styles.entry} data-comment={comment.id} data-marked={marked || undefined}>
      <Avatar name={name} src={author.imgUrl} size={28} />
      <article className={styles.body} aria-label={name}>
        <header className={styles.by}>
          <strong>{name}</strong>
          <Ago time={comment.createdTime} className={styles.time} />
          {comment.editedTime && !deleted && <span className={styles.time}>{t('comment.edited')}</span>}
        </header>
        {comment.replyTo && <Quote quote={comment.replyTo} onShow={onShow} />}
        {deleted ? (
          <p className={styles.deleted}>{t('comment.deletedOne')}</p>
        ) : editing ? (
          <Composer
            place={place}
            comment={comment}
            onCancel={() => setEditing(false)}
            onSend={async (draft) => {
              await updateComment(comment.id, draft)
              setEditing(false)
              onChanged()
            }}
          />
        ) : (
          <Said comment={comment} />
        )}
      </article>
      {!deleted && !editing && (
        <span className={styles.tools}>
          {tools.map(
            ([icon, label, run, offered]) =>
              offered && (
                <Button
                  key={icon}
                  type="text"
                  size="small"
                  title={label}
                  aria-label={icon === 'reply' ? t('comment.replyTo', { name }) : label}
                  icon={<Icon name={icon} size={14} />}
                  onClick={run}
                />
              ),
          )}
        </span>
      )}
    </li>
  )
}

function Said({ comment }: { comment: Comment }) {
  const t = useText()
  const { ReadValue } = propertyUI(ATTACHMENT)
  return (
    <>
      {comment.text && (
        <p className={styles.text}>
          {parts(comment.text, comment.mentions).map((part) =>
            part.mention ? (
              <span key={part.at} className={styles.mention}>
                {part.text}
              </span>
            ) : (
              part.text
            ),
          )}
        </p>
      )}
      {comment.files.length > 0 && ReadValue && (
        <Suspense fallback={null}>
          <ReadValue value={comment.files} field={filesField(t('comment.attachments')) as FieldPlan} />
        </Suspense>
      )}
    </>
  )
}

function Quote({ quote, onShow }: { quote: NonNullable<Comment['replyTo']>; onShow: (id: string) => void }) {
  const t = useText()
  const words = quote.text || (quote.files > 0 ? t('comment.files', { count: quote.files }) : '')
  return (
    <button type="button" className={styles.quote} title={t('comment.showQuoted')} onClick={() => onShow(quote.id)}>
      {quote.deleted ? (
        t('comment.deletedOne')
      ) : (
        <>
          <b>{quote.author.name || t('comment.someone')}</b> {words}
        </>
      )}
    </button>
  )
}
