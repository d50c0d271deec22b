import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate, useLocation, useParams } from 'react-router'
import { WORKBENCH } from '@/sdk/portal'
import { reportQuery } from '@/sdk/report/api'
import { systemConfigQuery } from '@/sdk/system'
import type { ListKind } from '@/sdk/work-items'
import { listPath } from '@/sdk/work-items'

const APPS = '/app-list/applications'

/** The application that an address without one is about: that of its query, or the one that the server was started for. */
function useNamedApp() {
  const { data, isPending } = useQuery(systemConfigQuery)
  const query = new URLSearchParams(useLocation().search)
  const code = query.get('appCode') || data?.appCode
  query.delete('appCode')
  return { code, waits: isPending && !code, rest: query.size > 0 ? `?${query}` : '' }
}

/** The start page of one application: that of the address, or the one that the server was started for. */
export function AppHome() {
  const { code, waits } = useNamedApp()
  if (waits) return null
  return <Navigate to={code ? `/application/${encodeURIComponent(code)}` : APPS} replace />
}

/** A list of tasks or copies of one application: that of the address, or the one that the server was started for; else of all. */
export function AppTasks({ kind }: { kind: ListKind }) {
  const { code, waits } = useNamedApp()
  if (waits) return null
  return <Navigate to={listPath(kind, code)} replace />
}

/** /singleApp/:appCode is the start page of that application. */
export function SingleApp() {
  const { appCode = '' } = useParams()
  return <Navigate to={`/app-home?appCode=${encodeURIComponent(appCode)}`} replace />
}

/** A page that a menu shows in place, of the application of the address, or of the one that the server was started for. */
export function AppDefine() {
  const { code, waits, rest } = useNamedApp()
  const { url = '' } = useParams()
  if (waits) return null
  const path = `/application/${encodeURIComponent(code ?? '')}/application-define/${encodeURIComponent(url)}`
  return <Navigate to={code ? path + rest : APPS} replace />
}

/** Portal pages that `code` of the query names, and not the path; without it the workbench. The rest of the query goes with them. */
export function PortalByCode({ below }: { below: string }) {
  const query = new URLSearchParams(useLocation().search)
  const code = query.get('code') || WORKBENCH
  query.delete('code')
  return <Navigate to={`${below}/${encodeURIComponent(code)}${query.size > 0 ? `?${query}` : ''}`} replace />
}

/** A report that only its code names, in the application where the reader opens it; the rest of the query is that of the report. */
export function ReportByCode({ otherwise }: { otherwise: ReactNode }) {
  const query = new URLSearchParams(useLocation().search)
  const code = query.get('reportCode') ?? ''
  const { data, isPending } = useQuery({ ...reportQuery(code), enabled: code !== '' })
  if (code && isPending) return null
  if (!data?.appCode) return otherwise
  query.delete('reportCode')
  const path = `/application/${encodeURIComponent(data.appCode)}/application-report/${encodeURIComponent(data.code)}`
  return <Navigate to={`${path}${query.size > 0 ? `?${query}` : ''}`} replace />
}

/** Addresses that name the same page in another way; their query goes with them. */
export function Same({ to }: { to: (at: Record<string, string>) => string }) {
  const { search } = useLocation()
  const at = useParams()
  const encoded = Object.fromEntries(Object.entries(at).map(([key, value]) => [key, encodeURIComponent(value ?? '')]))
  return <Navigate to={to(encoded) + search} replace />
}
