import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { Component, type ReactNode, Suspense } from 'react'
import { useParams } from 'react-router'
import { ApiError } from '@/api/client'
import { Notice } from '@/components/notice'
import { menuQuery } from '@/features/menu/queries'
import { useCurrentEntry } from '@/features/menu/use-current-entry'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { usePageTitle } from '@/lib/page-title'
import { loadFor } from '@/registry/bundles'
import { pageUI } from '@/registry/registry'
import { UnknownPage } from '@/registry/unknown'
import { Failure } from '@/sdk/failure'
import { useText } from '@/sdk/use-text'
import { NotFound } from './not-found'

/** A page that a pack draws. It is there for people whose menu has its entry. */
export function PackPage() {
  const locale = useLocale()
  const client = useQueryClient()
  const { appCode = '', pack = '', page = '' } = useParams()
  const menu = useQuery(menuQuery(appCode))
  const entry = useCurrentEntry(appCode)
  const title = entry ? localName(entry, locale) : page
  usePageTitle(title)
  const code = useQuery({
    queryKey: ['interfaces', 'page', pack, page],
    queryFn: () => loadFor(client, { page: `${pack}/${page}` }).then(() => true),
    enabled: entry !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (menu.data && !entry) return <NotFound />
  const failed = menu.data ? code : menu
  if (failed.error)
    return failed.error instanceof ApiError && failed.error.status === 404 ? (
      <NotFound />
    ) : (
      <Failure page error={failed.error} onRetry={failed.refetch} />
    )
  if (!code.data) return <Skeleton active title={false} style={{ padding: 24 }} />
  const Page = pageUI(pack, page)?.Page
  if (!Page) return <UnknownPage pack={pack} name={page} />
  return (
    <Fails key={`${pack}/${page}`} pack={pack}>
      <Suspense fallback={<Skeleton active title={false} style={{ padding: 24 }} />}>
        <Page appCode={appCode} title={title} />
      </Suspense>
    </Fails>
  )
}

/** What fails in a pack's page ends that page and not the application. */
class Fails extends Component<{ pack: string; children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown }
  static getDerivedStateFromError = (error: unknown) => ({ error })
  override render() {
    return this.state.error ? <Failed pack={this.props.pack} error={this.state.error} /> : this.props.children
  }
}

function Failed({ pack, error }: { pack: string; error: unknown }) {
  const t = useText()
  return (
    <Notice
      page
      role="alert"
      icon="alert"
      title={t('shell.packFailed', { pack })}
      text={error instanceof Error ? error.message : String(error)}
    />
  )
}
