import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { Notice } from '@/components/notice'
import { Failure } from '@/sdk/failure'
import { useFeedback } from '@/sdk/feedback'
import { lostOf } from '@/sdk/lost'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import { type DocumentName, discardDraft, documentQuery, lockDocument, type OpenedDocument } from './api'
import { begunWith } from './begun'
import { readJson, writeJson } from './json'

/** What a designer begins with. */
export interface Beginning<T> {
  opened: OpenedDocument
  /** The draft, or else what is published, or what is new. */
  first: T
  /** What is published; null: the document is new. */
  published: T | null
  /** The text that the server has; null: none. */
  kept: string | null
}

interface Props<T> {
  of: DocumentName
  draws: (value: unknown) => value is T
  /** Said of a text that cannot be drawn. */
  refusal: string
  /** What a document begins with that nobody began elsewhere; null: there is none of the code. */
  empty: (opened: OpenedDocument) => T | null
  /** Address at which a new one is begun. */
  address: string
  children: (beginning: Beginning<T>) => ReactNode
}

/** Reads a document for its designer, and asks which of its texts to begin with where there is a choice. */
export function OpenDocument<T>(props: Props<T>) {
  const t = useText()
  const { data, error, isFetching, refetch } = useQuery(documentQuery(props.of))
  const lost = lostOf({ data, error })
  if (lost && !isFetching) return <Failure page error={lost} who={t('desk.forbidden')} onRetry={refetch} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 8 }} style={{ padding: 24 }} />
  return <Chosen {...props} opened={data} />
}

function drawn<T>(text: string | null | undefined, draws: (value: unknown) => value is T): T | null {
  try {
    const value = text ? readJson(text) : null
    return draws(value) ? value : null
  } catch {
    return null
  }
}

function Chosen<T>({ of, draws, refusal, empty, address, children, opened }: Props<T> & { opened: OpenedDocument }) {
  const t = useText()
  const say = useFeedback()
  const client = useQueryClient()
  const published = useMemo(() => (opened.new ? null : drawn(opened.text, draws)), [opened, draws])
  const drafted = useMemo(() => drawn(opened.draft?.text, draws), [opened, draws])
  const [answer, setAnswer] = useState<'draft' | 'published' | null>(null)
  const discard = () =>
    lockDocument(of)
      .then(() => discardDraft(of))
      .then(() => {
        client.removeQueries({ queryKey: documentQuery(of).queryKey })
        setAnswer('published')
      })
      .catch(say.error)
  if (!opened.new && !published)
    return <Notice page role="alert" icon="alert" title={t('desk.cannotDraw')} text={refusal} />
  if (opened.draft && !drafted && answer === null)
    return (
      <Notice
        page
        role="alert"
        icon="alert"
        title={t('desk.broken')}
        text={t('desk.brokenText')}
        actions={
          <>
            <Button type="primary" onClick={() => void discard()}>
              {t('desk.discard')}
            </Button>
            <textarea
              className={styles.code}
              readOnly
              rows={12}
              cols={60}
              aria-label={t('desk.draftText')}
              value={opened.draft.text}
            />
          </>
        }
      />
    )
  if (opened.draft && !opened.new && opened.draft.seen !== opened.seen && answer === null)
    return (
      <Notice
        page
        icon="alert"
        title={t('desk.old')}
        text={t('desk.oldText')}
        actions={
          <>
            <Button type="primary" onClick={() => setAnswer('draft')}>
              {t('desk.keepDraft')}
            </Button>
            <Button onClick={() => void discard()}>{t('desk.discard')}</Button>
          </>
        }
      />
    )
  const draft = answer === 'published' ? null : drafted
  const begun = begunWith(of.kind, of.code)
  const fresh = draws(begun) ? begun : empty(opened)
  const first = draft ?? published ?? fresh
  if (!first)
    return (
      <Notice
        page
        icon="alert"
        title={t('desk.notThere')}
        text={t('desk.notThereText', { code: of.code })}
        actions={
          <Button type="primary" href={address}>
            {t('desk.beginNew')}
          </Button>
        }
      />
    )
  // Of what nobody has begun, nothing is kept before it is changed.
  const kept = draft ?? published ?? (draws(begun) ? null : first)
  return children({ opened, first, published, kept: kept === null ? null : writeJson(kept) })
}
