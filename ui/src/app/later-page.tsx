import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { Suspense } from 'react'
import { Link, Navigate, useParams } from 'react-router'
import { Notice } from '@/components/notice'
import { bundlesQuery, loadFor } from '@/registry/bundles'
import { pageUI } from '@/registry/registry'
import { useText } from '@/sdk/use-text'

/** The page of the pack that brings one for the address, or what it has instead: another address, or a sentence that nobody does. */
export function LaterPage({ name, instead }: { name: string; instead?: string | undefined }) {
  const t = useText()
  const client = useQueryClient()
  const { appCode = '' } = useParams()
  const found = useQuery({
    queryKey: ['interfaces', 'address', name],
    queryFn: async () => {
      const bundles = await client.ensureQueryData(bundlesQuery)
      const pack = bundles.find(({ defines }) => defines.pages.includes(name))?.pack
      if (pack) await loadFor(client, { page: `${pack}/${name}` })
      return pack ?? null
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (found.isPending) return <Skeleton active title={false} style={{ padding: 24 }} />
  const Page = found.data && pageUI(found.data, name)?.Page
  if (Page)
    return (
      <Suspense fallback={<Skeleton active title={false} style={{ padding: 24 }} />}>
        <Page appCode={appCode} title={name} />
      </Suspense>
    )
  if (instead) return <Navigate to={instead} replace />
  return (
    <Notice
      page
      icon="panel"
      title={t('shell.notInstalled')}
      text={t('shell.notInstalledText')}
      actions={
        <Link to={appCode ? `/application/${appCode}` : '/'}>{t(appCode ? 'shell.backToApp' : 'shell.backHome')}</Link>
      }
    />
  )
}
