import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { ApiError } from '@/api/client'
import { Notice } from '@/components/notice'
import { loadChunk } from '@/lib/chunk'
import { useIsPhone } from '@/lib/use-media'
import { useErrorText } from '@/sdk/error-text'
import { useText } from '@/sdk/use-text'
import { ListSkeleton } from './components/list-skeleton'
import { ListTable } from './components/list-table'
import { configQuery } from './queries'

const CardList = lazy(() => loadChunk(() => import('./components/card-list')).then((m) => ({ default: m.CardList })))

/** The list that the address names. Each list gets its own instance, so nothing of the last one shines through. */
export function ListPage() {
  const t = useText()
  const errorText = useErrorText()
  const phone = useIsPhone()
  const { schemaCode = '' } = useParams()
  const [search] = useSearchParams()
  const { data, error, refetch } = useQuery(configQuery(schemaCode, search.get('queryCode')))
  if (error) {
    const note =
      error instanceof ApiError && error.requestId ? t('common.requestId', { id: error.requestId }) : undefined
    return (
      <Notice
        role="alert"
        icon="alert"
        title={errorText(error)}
        note={note}
        actions={<Button onClick={() => refetch()}>{t('common.retry')}</Button>}
      />
    )
  }
  if (!data) return <ListSkeleton />
  const key = `${data.schemaCode}/${data.queryCode}`
  const { style } = data.queryPresentation
  return (
    <>
      {style && <link rel="stylesheet" href={style} precedence="low" />}
      {phone ? (
        <Suspense fallback={<ListSkeleton />}>
          <CardList key={key} config={data} />
        </Suspense>
      ) : (
        <ListTable key={key} config={data} />
      )}
    </>
  )
}
