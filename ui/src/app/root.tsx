import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { loadChunk } from '@/lib/chunk'
import { inside, loginPage } from './parts'

const LoginPage = loginPage.draw((m) => m.LoginPage)
const SetupPage = lazy(() =>
  loadChunk(() => import('@/features/account/setup-page')).then((m) => ({ default: m.SetupPage })),
)
const Inside = inside.draw((m) => m.Inside)

/** What is before the sign-in carries nothing of what is behind it. */
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
