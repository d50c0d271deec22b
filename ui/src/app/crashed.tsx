import { Button } from 'antd'
import { useRouteError } from 'react-router'
import { ApiError } from '@/api/client'
import { Notice } from '@/components/notice'
import { ChunkLoadError } from '@/lib/chunk'
import { useErrorText, useRequestNote } from '@/sdk/error-text'
import { useText } from '@/sdk/use-text'

/** The last resort: says so, and offers the way out. */
export function Crashed({ error }: { error?: Error }) {
  const t = useText()
  const routeError = useRouteError()
  const errorText = useErrorText()
  const requestNote = useRequestNote()
  const shown = error ?? routeError
  return (
    <Notice
      page
      role="alert"
      icon="alert"
      title={shown instanceof ApiError ? errorText(shown) : t('common.crashed')}
      text={
        shown instanceof ApiError
          ? undefined
          : t(shown instanceof ChunkLoadError ? 'common.chunkFailed' : 'common.crashedText')
      }
      note={shown instanceof ApiError ? requestNote(shown) : shown instanceof Error ? shown.message : undefined}
      actions={<Button onClick={() => window.location.reload()}>{t('common.reload')}</Button>}
    />
  )
}
