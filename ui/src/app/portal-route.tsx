import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useParams } from 'react-router'
import { PortalPage } from '@/features/portal/portal-page'
import { portalListQuery, WORKBENCH } from '@/sdk/portal'
import { LaterPage } from './later-page'
import { portalParts } from './portal-parts'

/** /portal-page/:pageCode; at "/" the workbench. */
export function PortalRoute({ mode = 'runtime' }: { mode?: 'runtime' | 'preview' }) {
  const { pageCode = WORKBENCH } = useParams()
  return <PortalPage key={pageCode} portalCode={pageCode} mode={mode} parts={portalParts} />
}

/** The first page of an application: its portal page, or what a pack brings for it. */
export function AppPortalRoute() {
  const { appCode = '' } = useParams()
  const { data, isPending } = useQuery(portalListQuery(appCode))
  if (isPending) return <Skeleton active title={false} style={{ padding: 24 }} />
  const page = data?.[0]
  if (!page) return <LaterPage name="appPortalRuntime" />
  return <PortalPage key={page.portalCode} portalCode={page.portalCode} mode="runtime" parts={portalParts} />
}
