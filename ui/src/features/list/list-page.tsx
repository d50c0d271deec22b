import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useParams } from 'react-router'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { usePageTitle } from '@/lib/page-title'
import { useHeldPhone } from '@/lib/use-held'
import { useSearch } from '@/lib/use-search'
import { Unknown } from '@/registry/unknown'
import { Failure } from '@/sdk/failure'
import { useSaid } from '@/sdk/feedback'
import { lostOf } from '@/sdk/lost'
import { ListSkeleton } from './components/list-skeleton'
import { ListStart } from './components/list-start'
import { configQuery, savedFiltersQuery } from './data/queries'
import './actions/built-in'
import { listPageOf } from './list-view'

/** The list that the address names. Each list gets its own instance, so no state leaks from the previous list. */
export function ListPage() {
  const phone = useHeldPhone()
  const locale = useLocale()
  const { schemaCode = '' } = useParams()
  const [search] = useSearch()
  const queryCode = search.get('queryCode')
  const { data, error, refetch } = useQuery(configQuery(schemaCode, queryCode))
  useSaid(error)
  usePageTitle(data && localName(data, locale))
  const saved = useQuery({ ...savedFiltersQuery(schemaCode, queryCode), retry: false })
  if (lostOf({ data, error })) {
    return <Failure page error={error} onRetry={refetch} />
  }
  if (!data) return <ListSkeleton />
  const key = `${data.schemaCode}/${data.queryCode}`
  const { style, presentationType } = data.queryPresentation
  const Page = listPageOf(presentationType, phone)
  return (
    <>
      {/* In place and without a precedence: for one that has it React draws nothing of the page before the sheet is there. */}
      {style && <link rel="stylesheet" href={style} />}
      <Suspense fallback={<ListSkeleton />}>
        <ListStart key={key} config={data} saved={saved.isPending ? null : (saved.data?.content ?? [])}>
          {Page ? <Page config={data} /> : <Unknown kind="views" name={presentationType} />}
        </ListStart>
      </Suspense>
    </>
  )
}
