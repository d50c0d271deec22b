import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { loadAllTexts } from '@/i18n/i18n'
import { loadChunk } from '@/lib/chunk'

const LoginPage = lazy(() =>
  loadChunk(() => import('@/features/account/login-page')).then((m) => ({ default: m.LoginPage })),
)
const SetupPage = lazy(() =>
  loadChunk(() => import('@/features/account/setup-page')).then((m) => ({ default: m.SetupPage })),
)
const Inside = lazy(() =>
  loadChunk(() => Promise.all([import('./inside'), loadAllTexts()])).then(([m]) => ({ default: m.Inside })),
)

/** What stands before the sign-in carries nothing of what stands behind it. */
export function Root() {
  return (
    <Suspense fallback={null}>
      <Routes>
        <Route path="/login" element={<LoginPage />} />
        <Route path="/setup" element={<SetupPage />} />
        <Route path="*" element={<Inside />} />
      </Routes>
    </Suspense>
  )
}
