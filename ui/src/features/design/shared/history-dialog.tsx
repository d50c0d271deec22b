import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { formatInstant } from '@/lib/dates'
import { useReturnFocus } from '@/lib/return-focus'
import { useErrorText } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import { type DocumentName, historyQuery, type KeptDraft, readVersion } from './api'
import { readJson } from './json'

interface Props<T> {
  of: DocumentName
  /** Drafts that others left behind. */
  older: KeptDraft[]
  draws: (value: unknown) => value is T
  /** Said of a text that cannot be drawn. */
  refusal: string
  /** The document as it is now. */
  now: T
  /** What differs between two documents, in words. */
  changes: (before: T | null, now: T) => string[]
  readOnly: boolean
  onTake: (document: T, said: string) => void
  onClose: () => void
}

/** The versions of a document, and drafts that others left behind; each can be compared, and taken over as the draft. */
export function HistoryDialog<T>(props: Props<T>) {
  useReturnFocus()
  const t = useText()
  const say = useFeedback()
  const context = useTextContext()
  const errorText = useErrorText()
  const { data, error } = useQuery(historyQuery(props.of))
  const [busy, setBusy] = useState('')
  const [compared, setCompared] = useState<{ key: string; lines: string[] } | null>(null)
  const when = (time: string, by: string) =>
    [formatInstant(time, 'yyyy-MM-dd HH:mm', context), by].filter(Boolean).join(' · ')
  const read = (key: string, text: () => Promise<string>, then: (document: T) => void) => {
    setBusy(key)
    text()
      .then((found) => {
        const document = readJson(found)
        if (props.draws(document)) then(document)
        else say.warning(props.refusal)
      })
      .catch(say.error)
      .finally(() => setBusy(''))
  }
  const acts = (key: string, title: string, text: () => Promise<string>, said: string) => (
    <span className={styles.versionActs}>
      <Button
        size="small"
        type="text"
        aria-label={`${t('desk.compareWith')}: ${title}`}
        onClick={() => read(key, text, (before) => setCompared({ key, lines: props.changes(before, props.now) }))}
      >
        {t('desk.compare')}
      </Button>
      <Button
        size="small"
        aria-label={`${t('desk.take')}: ${title}`}
        disabled={props.readOnly}
        loading={busy === key}
        onClick={() => read(key, text, (document) => props.onTake(document, said))}
      >
        {t('desk.take')}
      </Button>
    </span>
  )
  const difference = (key: string) =>
    compared?.key === key && (
      <ul className={styles.changes} aria-live="polite">
        {compared.lines.length === 0 && <li>{t('desk.same')}</li>}
        {compared.lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    )
  const version = (of: number) => () => readVersion(props.of, of).then(({ text }) => text)
  return (
    <Modal open width={560} footer={null} title={t('desk.history')} onCancel={props.onClose}>
      {error && <p role="alert">{errorText(error)}</p>}
      {!data && !error && <Skeleton active title={false} />}
      {data?.length === 0 && props.older.length === 0 && <p>{t('desk.noHistory')}</p>}
      <ol className={styles.versions}>
        {props.older.map((one) => {
          const name = one.byName || t('desk.somebody')
          const title = t('desk.older', { name })
          return (
            <li key={one.by}>
              <span>
                <strong>{title}</strong>
                <small>{when(one.time, '')}</small>
              </span>
              {acts(one.by, title, () => Promise.resolve(one.text), t('desk.olderTaken', { name }))}
              {difference(one.by)}
            </li>
          )
        })}
        {data?.map((one, i) => {
          const title = t('desk.version', { version: one.version })
          const key = String(one.version)
          return (
            <li key={one.version}>
              <span>
                <strong>{title}</strong>
                <small>
                  {[i === 0 ? t('desk.current') : '', when(one.time, one.name)].filter(Boolean).join(' · ')}
                </small>
              </span>
              {acts(key, title, version(one.version), t('desk.taken', { version: one.version }))}
              {difference(key)}
            </li>
          )
        })}
        {data && data.length > 0 && (
          <li>
            <strong>{t('desk.delivered')}</strong>
            {acts('0', t('desk.delivered'), version(0), t('desk.takenDelivered'))}
            {difference('0')}
          </li>
        )}
      </ol>
    </Modal>
  )
}
