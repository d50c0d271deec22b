import { Button } from 'antd'
import { Suspense, useEffect, useRef, useState } from 'react'
import type { Comment, StoredFile } from '@/api/types'
import { Icon } from '@/components/icon'
import { lengthOf, mentionedIn, type Person } from '@/lib/mentions'
import { newToken } from '@/lib/token'
import { formWidget } from '@/registry/properties'
import { useErrorText } from '@/sdk/error-text'
import { FormHoldContext, useHolds } from '@/sdk/form-hold'
import { useText } from '@/sdk/use-text'
import type { Draft, Place } from './api'
import styles from './comment.module.css'
import { ATTACHMENT, filesField } from './files-field'
import type { Kept } from './kept'
import { MentionField } from './mention-field'

const MAX = 2000
/** From here on it is said how much room is left. */
const TELL = 1800

interface Props {
  place: Place
  /** What is edited; missing = a new comment. */
  comment?: Comment
  replyTo?: Comment | null
  /** Where what is being written is kept. */
  kept?: Kept
  onCancel: () => void
  /** The key stays the same until the comment was sent, so that trying again writes it once. */
  onSend: (draft: Draft, key: string) => Promise<void>
}

/** Where a comment is written: text, people behind an @, files. */
export function Composer({ place, comment, replyTo = null, kept, onCancel, onSend }: Props) {
  const t = useText()
  const errorText = useErrorText()
  const begun = kept?.writing
  const [text, setText] = useState(begun?.text ?? comment?.text ?? '')
  const [files, setFiles] = useState<StoredFile[]>(begun?.files ?? comment?.files ?? [])
  const [attaching, setAttaching] = useState(files.length > 0)
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState('')
  const picked = useRef<Person[]>([...(begun?.picked ?? comment?.mentions ?? [])])
  const key = useRef(newToken())
  const field = useRef<{ focus: () => void }>(null)
  const { waiting, failed, hold } = useHolds()
  useEffect(() => {
    if (replyTo || comment) field.current?.focus()
  }, [replyTo, comment])

  useEffect(() => {
    if (kept) kept.writing = { text, files, picked: picked.current }
  }, [kept, text, files])

  const length = lengthOf(text)
  const ready = (length > 0 || files.length > 0) && length <= MAX && waiting + failed === 0 && !sending
  const send = async () => {
    if (!ready) return
    setSending(true)
    setFailure('')
    try {
      const people = mentionedIn(text, picked.current)
      await onSend({ text: text.trim(), mentions: people, files: files.map((file) => file.refId) }, key.current)
      setText('')
      setFiles([])
      setAttaching(false)
      picked.current = []
      key.current = newToken()
    } catch (error) {
      setFailure(errorText(error))
    } finally {
      setSending(false)
    }
  }
  const change = (next: string) => {
    setText(next)
    key.current = newToken() // another text is another comment
  }
  const FilesWidget = formWidget(ATTACHMENT)
  return (
    <div className={styles.composer}>
      {replyTo && (
        <div className={styles.replying}>
          <Icon name="reply" size={14} />
          <span>{t('comment.replyTo', { name: replyTo.author.name || t('comment.someone') })}</span>
          <Button
            type="text"
            size="small"
            aria-label={t('comment.cancelReply')}
            icon={<Icon name="close" size={12} />}
            onClick={onCancel}
          />
        </div>
      )}
      <MentionField
        focus={field}
        place={place}
        value={text}
        onChange={change}
        onPick={({ id, name }) => picked.current.push({ id, name })}
        onSend={() => void send()}
        offers={comment ? 'below' : 'above'}
        invalid={length > MAX}
        disabled={sending}
      />
      {attaching && FilesWidget && (
        <FormHoldContext value={hold}>
          <Suspense fallback={null}>
            <FilesWidget
              id={comment ? `files-${comment.id}` : 'comment-files'}
              field={filesField(t('comment.attachments'))}
              schemaCode=""
              value={files.length > 0 ? files : null}
              onChange={(next) => {
                setFiles((next as StoredFile[] | null) ?? [])
                key.current = newToken()
              }}
              values={() => ({})}
              inCell
            />
          </Suspense>
        </FormHoldContext>
      )}
      {failure && (
        <p className={styles.fault} role="alert">
          {failure}
        </p>
      )}
      <div className={styles.bar}>
        <Button
          type="text"
          icon={<Icon name="clip" />}
          title={t('comment.attach')}
          aria-label={t('comment.attach')}
          aria-pressed={attaching}
          onClick={() => setAttaching((now) => !now || files.length > 0)}
        />
        <span className={styles.left} data-over={length > MAX || undefined} aria-live="polite">
          {length > MAX
            ? t('comment.over', { count: length - MAX })
            : length >= TELL
              ? t('comment.left', { count: MAX - length })
              : ''}
        </span>
        {comment && <Button onClick={onCancel}>{t('common.cancel')}</Button>}
        <Button
          type="primary"
          title={t('comment.sendKeys')}
          disabled={!ready}
          loading={sending}
          onClick={() => void send()}
        >
          {comment ? t('comment.save') : t('comment.send')}
        </Button>
      </div>
    </div>
  )
}
