import { Navigate, Route, Routes } from 'react-router'
import { INSTEAD, LATER, LATER_IN_APPLICATION, STATUS_PATHS, TASK_LISTS } from './addresses'
import { DefinePage } from './define-page'
import { LaterPage } from './later-page'
import { NotFound } from './not-found'
import { AppDefine, AppHome, AppTasks, Same, SingleApp } from './redirects'
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
      <Route path="/app-define/:url" element={<AppDefine />} />
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
      <Route path="*" element={<NotFound />} />
    </Routes>
  )
}
