import { useQuery } from '@tanstack/react-query'
import { App } from 'antd'
import { lazy, Suspense } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { loadLaterTexts } from '@/i18n/i18n'
import { iframeAction } from '@/lib/embedded'
import { MESSAGES } from '@/sdk/feedback'
import { backgroundOf } from '@/sdk/record-link'
import { hasWorkbench, knowsReader, systemConfigQuery } from '@/sdk/system'
import { BareFrame } from './frame/bare-frame'
import { Frame } from './frame/frame'
import { Guard } from './guard'
import { applicationFrame, homePage, listPage, portalRoute, recordRoute } from './parts'

const HomePage = homePage.draw((m) => m.HomePage)
const ListPage = listPage.draw((m) => m.ListPage)
const PortalRoute = portalRoute.draw((m) => m.PortalRoute)
const AppPortalRoute = portalRoute.draw((m) => m.AppPortalRoute)
const PlaceholderPage = lazy(() =>
  import('@/features/list/placeholder-page').then((m) => ({ default: m.PlaceholderPage })),
)
const DraftPage = lazy(() => import('@/features/draft/draft-page').then((m) => ({ default: m.DraftPage })))
const SearchPage = lazy(() =>
  Promise.all([import('@/features/menu/search-page'), loadLaterTexts()]).then(([m]) => ({ default: m.SearchPage })),
)
const AppPage = lazy(() => import('@/features/menu/app-page').then((m) => ({ default: m.AppPage })))
const ApplicationFrame = applicationFrame.draw((m) => m.ApplicationFrame)
const MePage = lazy(() => import('./me-page').then((m) => ({ default: m.MePage })))
const AuditPage = lazy(() =>
  Promise.all([import('@/features/audit/audit-page'), loadLaterTexts()]).then(([m]) => ({
    default: m.AuditPage,
  })),
)
const ApplicationsPage = lazy(() =>
  Promise.all([import('@/features/application/applications-page'), loadLaterTexts()]).then(([m]) => ({
    default: m.ApplicationsPage,
  })),
)
const ApplicationPage = lazy(() =>
  Promise.all([import('@/features/application/application-page'), loadLaterTexts()]).then(([m]) => ({
    default: m.ApplicationPage,
  })),
)
const NamesPage = lazy(() =>
  Promise.all([import('@/features/application/names-page'), loadLaterTexts()]).then(([m]) => ({
    default: m.NamesPage,
  })),
)
const RightsPage = lazy(() =>
  Promise.all([import('@/features/rights/rights-page'), loadLaterTexts()]).then(([m]) => ({
    default: m.RightsPage,
  })),
)
const LinksPage = lazy(() =>
  Promise.all([import('@/features/external/links-page'), loadLaterTexts()]).then(([m]) => ({
    default: m.LinksPage,
  })),
)
const RolePage = lazy(() =>
  Promise.all([import('@/features/rights/role-page'), loadLaterTexts()]).then(([m]) => ({
    default: m.RolePage,
  })),
)
const ImportPage = lazy(() => import('./import-page').then((m) => ({ default: m.ImportPage })))
const MessagePage = lazy(() => import('@/features/message/message-page').then((m) => ({ default: m.MessagePage })))
const MessageLaunch = lazy(() =>
  Promise.all([import('@/features/message/message-launch'), loadLaterTexts()]).then(([m]) => ({
    default: m.MessageLaunch,
  })),
)
const OperationPage = lazy(() =>
  Promise.all([import('@/features/operation/operation-page'), loadLaterTexts()]).then(([m]) => ({
    default: m.OperationPage,
  })),
)
const ErrorPage = lazy(() =>
  Promise.all([import('@/features/operation/error-page'), loadLaterTexts()]).then(([m]) => ({
    default: m.ErrorPage,
  })),
)
const AdminPage = lazy(() =>
  Promise.all([import('./admin-page'), loadLaterTexts()]).then(([m]) => ({ default: m.AdminPage })),
)
const NotFound = lazy(() => import('./not-found').then((m) => ({ default: m.NotFound })))
const PackPage = lazy(() => import('./pack-page').then((m) => ({ default: m.PackPage })))
const ReportPage = lazy(() =>
  Promise.all([import('@/features/report/report-page'), loadLaterTexts()]).then(([m]) => ({
    default: m.ReportPage,
  })),
)
const TaskPage = lazy(() => import('@/features/task/task-page').then((m) => ({ default: m.TaskPage })))
const WorkflowCenter = lazy(() =>
  Promise.all([import('./workflow-center'), loadLaterTexts()]).then(([m]) => ({
    default: m.WorkflowCenter,
  })),
)
const ComparePage = lazy(() =>
  Promise.all([import('@/features/workflow/admin/compare-page'), loadLaterTexts()]).then(([m]) => ({
    default: m.ComparePage,
  })),
)
const PrintPage = lazy(() =>
  Promise.all([import('@/features/print/print-page'), loadLaterTexts()]).then(([m]) => ({
    default: m.PrintPage,
  })),
)
const TrackPage = lazy(() =>
  Promise.all([import('@/features/workflow/track/track-page'), loadLaterTexts()]).then(([m]) => ({
    default: m.TrackPage,
  })),
)
const WorkflowRehearsal = lazy(() =>
  Promise.all([import('./workflow-rehearsal'), loadLaterTexts()]).then(([m]) => ({
    default: m.WorkflowRehearsal,
  })),
)
const DesignPage = lazy(() =>
  Promise.all([import('@/features/design/design-page'), loadLaterTexts()]).then(([m]) => ({
    default: m.DesignPage,
  })),
)
const PaperPage = lazy(() =>
  Promise.all([import('@/features/design/paper/paper-page'), loadLaterTexts()]).then(([m]) => ({
    default: m.PaperPage,
  })),
)
const ReadingPage = lazy(() =>
  Promise.all([import('@/features/design/reading/reading-page'), loadLaterTexts()]).then(([m]) => ({
    default: m.ReadingPage,
  })),
)
const PortalDesignRoute = lazy(() =>
  Promise.all([import('./portal-design-route'), loadLaterTexts()]).then(([m]) => ({
    default: m.PortalDesignRoute,
  })),
)
const RecordDrawer = lazy(() => import('./record-drawer').then((m) => ({ default: m.RecordDrawer })))
const RecordRoute = recordRoute.draw((m) => m.RecordRoute)
const Rest = lazy(() => import('./rest').then((m) => ({ default: m.Rest })))
const RestOfApplication = lazy(() => import('./rest').then((m) => ({ default: m.RestOfApplication })))

/**
 * What `/` is: the message that the link of a mail names; the workbench, where one is published for the reader; else it leads to the
 * application that the server was started for, or to all of them.
 */
function Start() {
  const { search } = useLocation()
  const { data, isError } = useQuery(systemConfigQuery)
  if (new URLSearchParams(search).has('messageId')) return <MessageLaunch />
  if (!knowsReader(data) && !isError) return null
  if (hasWorkbench(data)) return <PortalRoute />
  return <Navigate to={data?.appCode ? '/app-home' : '/app-list/applications'} replace />
}

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
        <Route
          element={
            <Guard>
              <BareFrame />
            </Guard>
          }
        >
          <Route path="/workflow-design/:appCode/:workflowCode" element={<DesignPage />} />
          <Route path="/print-design/:appCode/:printCode" element={<PaperPage />} />
          <Route path="/document/:kind/:appCode/:code" element={<ReadingPage />} />
          <Route path="/portal-design/:pageCode" element={<PortalDesignRoute />} />
          <Route path="/print" element={<PrintPage />} />
        </Route>
        <Route element={<Guard>{iframeAction() === null ? <Frame /> : <BareFrame />}</Guard>}>
          <Route path="/" element={<Start />} />
          <Route path="/portal-page/:pageCode" element={<PortalRoute />} />
          <Route path="/portal-design-preview/:pageCode" element={<PortalRoute mode="preview" />} />
          <Route path="/admin/*" element={<AdminPage />} />
          <Route path="/app-list" element={<Navigate to="/app-list/applications" replace />} />
          <Route path="/app-list/applications" element={<HomePage />} />
          <Route path="/search" element={<SearchPage />} />
          <Route path="/user/info" element={<MePage />} />
          <Route path="/my-draft" element={<DraftPage />} />
          <Route path="/tasks" element={<TaskPage />} />
          <Route path="/tasks/import/:jobId" element={<ImportPage />} />
          <Route path="/tasks/all" element={<TaskPage all />} />
          <Route path="/audit" element={<AuditPage />} />
          <Route path="/system/operation" element={<OperationPage />} />
          <Route path="/system/errors" element={<ErrorPage />} />
          <Route path="/admin/applications" element={<ApplicationsPage />} />
          <Route path="/admin/applications/:appCode" element={<ApplicationPage />} />
          <Route path="/admin/applications/:appCode/names" element={<NamesPage />} />
          <Route path="/external-links" element={<LinksPage />} />
          <Route path="/rights" element={<RightsPage />} />
          <Route path="/rights/role" element={<RolePage />} />
          <Route path="/message-notification" element={<MessagePage />} />
          <Route path="/application/:appCode" element={<ApplicationFrame />}>
            <Route index element={<AppPage />} />
            <Route path="application-list" element={<ListByCode />} />
            <Route path="application-list/:schemaCode" element={<ListPage />} />
            <Route path="application-report/:reportCode" element={<ReportPage />} />
            <Route path="application-page/:pack/:page" element={<PackPage />} />
            <Route path="application-portal/app-portal-runtime" element={<AppPortalRoute />} />
            <Route path="app-portal-runtime" element={<AppPortalRoute />} />
            <Route path="*" element={<RestOfApplication />} />
          </Route>
          <Route path="/test-specific-model-list1/:schemaCode" element={<PlaceholderPage />} />
          <Route path="/test-specific-model-list2/:schemaCode" element={<ListPage />} />
          <Route path="/workflow-center/*" element={<WorkflowCenter />} />
          <Route path="/from/workflow-track/:workflowInstanceId/:workItemId?" element={<TrackPage />} />
          <Route path="/from/operation-log-compare/:logid/:workflowInstanceId/:workItemId?" element={<ComparePage />} />
          <Route path="/workflow-rehearsal/:workflowCode" element={<WorkflowRehearsal />} />
          <Route path="/form/detail" element={<RecordRoute />} />
          <Route path="*" element={<Rest />} />
        </Route>
      </Routes>
      <Suspense fallback={null}>{background && <RecordDrawer />}</Suspense>
    </App>
  )
}
