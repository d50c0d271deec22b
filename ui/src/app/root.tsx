import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { loadAllTexts, loadLaterTexts } from '@/i18n/i18n'
import { inside, loginPage } from './parts'
import { preloadSignedIn } from './preload'
import { queryClient } from './query-client'

const LoginPage = loginPage.draw((m) => m.LoginPage)
const SetupPage = lazy(() => import('@/features/account/setup-page').then((m) => ({ default: m.SetupPage })))
const OauthPage = lazy(() => import('@/features/account/oauth-page').then((m) => ({ default: m.OauthPage })))
const OauthCallbackPage = lazy(() =>
  import('@/features/account/oauth-page').then((m) => ({ default: m.OauthCallbackPage })),
)
const LoginErrorPage = lazy(() =>
  import('@/features/account/login-error-page').then((m) => ({ default: m.LoginErrorPage })),
)
const ExternalLinkPage = lazy(() =>
  Promise.all([import('./external-link-page'), loadAllTexts()]).then(([m]) => ({
    default: m.ExternalLinkPage,
  })),
)
const PublicPage = lazy(() =>
  Promise.all([import('./public-page'), loadAllTexts().then(loadLaterTexts)]).then(([m]) => ({
    default: m.PublicPage,
  })),
)
const VerifyPage = lazy(() =>
  Promise.all([import('@/features/print/verify-page'), loadAllTexts().then(loadLaterTexts)]).then(([m]) => ({
    default: m.VerifyPage,
  })),
)
const Inside = inside.draw((m) => m.Inside)

const enter = (to: string) => void preloadSignedIn(queryClient, to).catch(() => {})

/** What is before the sign-in carries nothing of what is behind it. */
export function Root() {
  return (
    <Suspense fallback={null}>
      <Routes>
        <Route path="/login" element={<LoginPage onEnter={enter} />} />
        <Route path="/setup" element={<SetupPage />} />
        <Route path="/oauth" element={<OauthPage />} />
        <Route path="/oauthCallback" element={<OauthCallbackPage />} />
        <Route path="/login-error" element={<LoginErrorPage />} />
        <Route path="/external-link/:formid" element={<ExternalLinkPage />} />
        <Route path="/NewPortal" element={<PublicPage />} />
        <Route path="/print/verify" element={<VerifyPage />} />
        <Route path="*" element={<Inside />} />
      </Routes>
    </Suspense>
  )
}
