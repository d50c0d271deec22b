import { lazy, Suspense } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { AppListPage } from '@/features/menu/app-list-page'
import { backgroundOf } from '@/sdk/record-link'
import { Frame } from './frame/frame'
import { Guard } from './guard'
import { NotFound } from './not-found'

const LoginPage = lazy(() => import('@/features/account/login-page').then((m) => ({ default: m.LoginPage })))
const SetupPage = lazy(() => import('@/features/account/setup-page').then((m) => ({ default: m.SetupPage })))
const ListPage = lazy(() => import('@/features/list/list-page').then((m) => ({ default: m.ListPage })))
const AppPage = lazy(() => import('@/features/menu/app-page').then((m) => ({ default: m.AppPage })))
const ApplicationFrame = lazy(() => import('./frame/application-frame').then((m) => ({ default: m.ApplicationFrame })))
const MePage = lazy(() => import('./me-page').then((m) => ({ default: m.MePage })))
const RecordDrawer = lazy(() => import('./record-drawer').then((m) => ({ default: m.RecordDrawer })))
const RecordRoute = lazy(() => import('./record-route').then((m) => ({ default: m.RecordRoute })))

export function Root() {
  const location = useLocation()
  const background = backgroundOf(location)
  return (
    <Suspense fallback={null}>
      <Routes location={background ?? location}>
        <Route path="/login" element={<LoginPage />} />
        <Route path="/setup" element={<SetupPage />} />
        <Route
          element={
            <Guard>
              <Frame />
            </Guard>
          }
        >
          <Route path="/" element={<Navigate to="/app-list/applications" replace />} />
          <Route path="/app-list" element={<Navigate to="/app-list/applications" replace />} />
          <Route path="/app-list/applications" element={<AppListPage />} />
          <Route path="/user/info" element={<MePage />} />
          <Route path="/application/:appCode" element={<ApplicationFrame />}>
            <Route index element={<AppPage />} />
            <Route path="application-list/:schemaCode" element={<ListPage />} />
          </Route>
          <Route path="/form/detail" element={<RecordRoute />} />
          <Route path="*" element={<NotFound />} />
        </Route>
      </Routes>
      {background && <RecordDrawer />}
    </Suspense>
  )
}
