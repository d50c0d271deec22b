import { App } from 'antd'
import { lazy, Suspense } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { loadChunk } from '@/lib/chunk'
import { iframeAction } from '@/lib/embedded'
import { MESSAGES } from '@/sdk/feedback'
import { backgroundOf } from '@/sdk/record-link'
import { BareFrame } from './frame/bare-frame'
import { Frame } from './frame/frame'
import { Guard } from './guard'
import { appListPage, applicationFrame, listPage, recordRoute } from './parts'

const AppListPage = appListPage.draw((m) => m.AppListPage)
const ListPage = listPage.draw((m) => m.ListPage)
const PlaceholderPage = lazy(() =>
  loadChunk(() => import('@/features/list/placeholder-page')).then((m) => ({ default: m.PlaceholderPage })),
)
const DraftPage = lazy(() =>
  loadChunk(() => import('@/features/draft/draft-page')).then((m) => ({ default: m.DraftPage })),
)
const AppPage = lazy(() => loadChunk(() => import('@/features/menu/app-page')).then((m) => ({ default: m.AppPage })))
const ApplicationFrame = applicationFrame.draw((m) => m.ApplicationFrame)
const MePage = lazy(() => loadChunk(() => import('./me-page')).then((m) => ({ default: m.MePage })))
const MessagePage = lazy(() =>
  loadChunk(() => import('@/features/message/message-page')).then((m) => ({ default: m.MessagePage })),
)
const NotFound = lazy(() => loadChunk(() => import('./not-found')).then((m) => ({ default: m.NotFound })))
const PackPage = lazy(() => loadChunk(() => import('./pack-page')).then((m) => ({ default: m.PackPage })))
const ReportPage = lazy(() => loadChunk(() => import('./report-page')).then((m) => ({ default: m.ReportPage })))
const RecordDrawer = lazy(() => loadChunk(() => import('./record-drawer')).then((m) => ({ default: m.RecordDrawer })))
const RecordRoute = recordRoute.draw((m) => m.RecordRoute)

/** A list that only `code` names has its address. */
function ListByCode() {
  const { search } = useLocation()
  const code = new URLSearchParams(search).get('code')
  return code ? <Navigate to={`${encodeURIComponent(code)}${search}`} replace /> : <NotFound />
}

/** All pages behind the sign-in. A record that was opened from one of them is over it. */
export function Inside() {
  const location = useLocation()
  const background = backgroundOf(location)
  return (
    <App message={MESSAGES} component={false}>
      <Routes location={background ?? location}>
        <Route element={<Guard>{iframeAction() === null ? <Frame /> : <BareFrame />}</Guard>}>
          <Route path="/" element={<Navigate to="/app-list/applications" replace />} />
          <Route path="/app-list" element={<Navigate to="/app-list/applications" replace />} />
          <Route path="/app-list/applications" element={<AppListPage />} />
          <Route path="/user/info" element={<MePage />} />
          <Route path="/my-draft" element={<DraftPage />} />
          <Route path="/message-notification" element={<MessagePage />} />
          <Route path="/application/:appCode" element={<ApplicationFrame />}>
            <Route index element={<AppPage />} />
            <Route path="application-list" element={<ListByCode />} />
            <Route path="application-list/:schemaCode" element={<ListPage />} />
            <Route path="application-report/:reportCode" element={<ReportPage />} />
            <Route path="application-page/:pack/:page" element={<PackPage />} />
          </Route>
          <Route path="/test-specific-model-list1/:schemaCode" element={<PlaceholderPage />} />
          <Route path="/test-specific-model-list2/:schemaCode" element={<ListPage />} />
          <Route path="/form/detail" element={<RecordRoute />} />
          <Route path="*" element={<NotFound />} />
        </Route>
      </Routes>
      <Suspense fallback={null}>{background && <RecordDrawer />}</Suspense>
    </App>
  )
}
