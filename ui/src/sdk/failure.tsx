import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { Notice } from '@/components/notice'
import { useErrorText, useRequestNote } from './error-text'
import { isFinal } from './lost'
import { useText } from './use-text'

const statusOf = (error: unknown) => (error instanceof ApiError ? error.status : 0)

interface ForbiddenProps {
  /** Who may, as a sentence: "Only system administrators can see the audit log". */
  who?: string | undefined
  /** It is all that the page has. */
  page?: boolean
  /** Ways on beside the one to the start page. */
  actions?: ReactNode
  /** Where the way back leads instead of to the start page. */
  back?: string | null
}

/** What is in the place of a page, or of a part of one, that somebody may not see: who may, whom to ask, and a way home. */
export function Forbidden({ who, page = false, actions, back }: ForbiddenProps) {
  const t = useText()
  return (
    <Notice
      page={page}
      role="alert"
      icon="key"
      title={t('common.noRight.title')}
      text={who ?? t('common.noRight.text')}
      note={t('common.noRight.ask')}
      actions={
        <>
          {actions}
          {page && <Link to={back ?? '/'}>{t(back ? 'shell.goBack' : 'shell.backHome')}</Link>}
        </>
      }
    />
  )
}

interface FailureProps {
  error: unknown
  /** Asks again. It is not offered where that cannot help. */
  onRetry?: (() => unknown) | undefined
  /** What failed; the words of the error are below it, or are the title where there is none. */
  title?: string | undefined
  /** The title of a refusal that stays one, with the words of the error below it. */
  gone?: string | undefined
  /** Who may see it, for those who may not. */
  who?: string | undefined
  page?: boolean
  /** Ways on beside Retry. */
  actions?: ReactNode
}

/**
 * What is in the place of content that could not be read: why, the number of the request, and Retry where it can help. A refusal for want of
 * a permission is told everywhere in the same way, and a page that is not there for its reader has a way home.
 */
export function Failure({ error, onRetry, title, gone, who, page = false, actions }: FailureProps) {
  const t = useText()
  const errorText = useErrorText()
  const requestNote = useRequestNote()
  if (statusOf(error) === 403) {
    const general = error instanceof ApiError && (error.code === ERROR.Forbidden || !error.message)
    return <Forbidden who={who ?? (general ? (gone ?? title) : errorText(error))} page={page} actions={actions} />
  }
  const lost = isFinal(error)
  const head = (lost && gone) || title
  return (
    <Notice
      page={page}
      role="alert"
      icon={lost ? 'search' : 'alert'}
      title={head ?? errorText(error)}
      text={head && errorText(error)}
      note={requestNote(error)}
      actions={
        <>
          {onRetry && !lost && <Button onClick={() => void onRetry()}>{t('common.retry')}</Button>}
          {actions}
          {page && lost && <Link to="/">{t('shell.backHome')}</Link>}
        </>
      }
    />
  )
}
