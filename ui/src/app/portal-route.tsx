import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { lazy } from 'react'
import { useParams } from 'react-router'
import { PortalPage } from '@/features/portal/portal-page'
import { loadChunk } from '@/lib/chunk'
import { type PortalParts, portalListQuery } from '@/sdk/portal'
import { LaterPage } from './later-page'

/** The page that everybody begins with. */
export const WORKBENCH = 'defaultPortalDashboard'

const recordParts = () => loadChunk(() => import('@/features/portal/record-parts'))

/** What other features draw in widgets. */
const parts: PortalParts = {
  Chart: lazy(() =>
    loadChunk(() => import('@/features/report/portal-chart')).then((m) => ({ default: m.PortalChart })),
  ),
  Filters: lazy(() => recordParts().then((m) => ({ default: m.Filters }))),
  Value: lazy(() => recordParts().then((m) => ({ default: m.Value }))),
}

/** /portal-page/:pageCode; without a code, and at "/", the workbench. */
export function PortalRoute({ mode = 'runtime' }: { mode?: 'runtime' | 'preview' }) {
  const { pageCode = WORKBENCH } = useParams()
  return <PortalPage key={pageCode} portalCode={pageCode} mode={mode} parts={parts} />
}

/** The first page of an application: its portal page, or what a pack brings for it. */
export function AppPortalRoute() {
  const { appCode = '' } = useParams()
  const { data, isPending } = useQuery(portalListQuery(appCode))
  if (isPending) return <Skeleton active title={false} style={{ padding: 24 }} />
  const page = data?.[0]
  if (!page) return <LaterPage name="appPortalRuntime" />
  return <PortalPage key={page.portalCode} portalCode={page.portalCode} mode="runtime" parts={parts} />
}
