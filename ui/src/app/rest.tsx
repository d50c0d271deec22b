import { useQuery } from '@tanstack/react-query'
import { Navigate, Route, Routes, useLocation, useParams } from 'react-router'
import { findEntry } from '@/features/menu/menu-tree'
import { menuQuery } from '@/features/menu/queries'
import { entryLink } from '@/sdk/menu-link'
import { INSTEAD, LATER, LATER_IN_APPLICATION, PORTALS, STATUS_PATHS, TASK_LISTS } from './addresses'
import { DefinePage } from './define-page'
import { LaterPage } from './later-page'
import { NotFound } from './not-found'
import { AppDefine, AppHome, AppTasks, PortalByCode, ReportByCode, Same, SingleApp } from './redirects'
import { StatusPage } from './status-page'

const inApplication = (rest: (at: Record<string, string>) => string) => (at: Record<string, string>) =>
  `/application/${at.appCode}/${rest(at)}`
const toList = inApplication((at) => `application-list/${at.schemaCode}`)
const toReport = inApplication((at) => `application-report/${at.reportCode}`)

/** Addresses that few people open: other names of pages, pages that only say something, and what is not part of the installation. */
export function Rest() {
  return (
    <Routes>
      <Route path="/app-home" element={<AppHome />} />
      <Route path="/singleApp/:appCode" element={<SingleApp />} />
      <Route path="/applications" element={<Navigate to="/app-list/applications" replace />} />
      <Route path="/app-list/:appCode/:schemaCode/:displayName?" element={<Same to={toList} />} />
      <Route path="/app-report/:appCode/:reportCode" element={<Same to={toReport} />} />
      <Route path="/jump-report/:appCode/:reportCode" element={<Same to={toReport} />} />
      <Route path="/fineReport" element={<ReportByCode otherwise={<LaterPage name="fineReport" />} />} />
      <Route path="/app-define/:url" element={<AppDefine />} />
      {Object.entries(PORTALS).map(([path, below]) => (
        <Route key={path} path={path} element={<PortalByCode below={below} />} />
      ))}
      <Route path="/user" element={<Navigate to="/user/info" replace />} />
      {Object.entries(TASK_LISTS).map(([path, kind]) => (
        <Route key={path} path={path} element={<AppTasks kind={kind} />} />
      ))}
      {Object.keys(STATUS_PATHS).map((path) => (
        <Route key={path} path={path} element={<StatusPage />} />
      ))}
      {Object.entries(LATER).map(([path, name]) => (
        <Route key={path} path={path} element={<LaterPage name={name} instead={INSTEAD[name]} />} />
      ))}
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}

/** The same below an application. */
export function RestOfApplication() {
  return (
    <Routes>
      <Route path="application-define/:url" element={<DefinePage />} />
      {Object.entries(LATER_IN_APPLICATION).map(([path, name]) => (
        <Route key={path} path={path} element={<LaterPage name={name} />} />
      ))}
      <Route path="*" element={<NamedPage />} />
    </Routes>
  )
}

/**
 * The short address of a page of a pack: `/application/quality/qualityTree`, also below the name of its system, or with a model behind
 * it (`archiveCatalogue/{schemaCode}`).
 */
function NamedPage() {
  const { appCode = '', '*': rest = '' } = useParams()
  const { search } = useLocation()
  const { data, isPending } = useQuery(menuQuery(appCode))
  if (isPending) return null
  const parts = rest.split('/').filter(Boolean)
  const named = (part: string | undefined) =>
    part ? findEntry(data ?? [], ({ code, page }) => code === part || page?.split('/')[1] === part) : null
  const before = named(parts.at(-2))
  const ofModel = before?.type === 'Page'
  const entry = ofModel ? before : named(parts.at(-1))
  const link = entry && entryLink(entry)
  if (!link || link.external || parts.length > 2) return <NotFound />
  const query = new URLSearchParams(search)
  if (ofModel) query.set('schemaCode', parts.at(-1) ?? '')
  const more = query.toString()
  return <Navigate to={more ? `${link.to}${link.to.includes('?') ? '&' : '?'}${more}` : link.to} replace />
}
