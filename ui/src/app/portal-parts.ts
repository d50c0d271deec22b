import { lazy } from 'react'
import type { PortalParts } from '@/sdk/portal'

const recordParts = () => import('@/features/portal/record-parts')

/** What other features draw in widgets. */
export const portalParts: PortalParts = {
  Chart: lazy(() => import('@/features/report/portal-chart').then((m) => ({ default: m.PortalChart }))),
  Filters: lazy(() => recordParts().then((m) => ({ default: m.Filters }))),
  Value: lazy(() => recordParts().then((m) => ({ default: m.Value }))),
}
