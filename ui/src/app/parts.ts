import { loadAllTexts, loadLaterTexts } from '@/i18n/i18n'
import { lazyModule } from '@/lib/part'

// The pages that an address may open with: what reads them ahead and what draws them find them here.
export const loginPage = lazyModule(() => import('@/features/account/login-page'))
export const inside = lazyModule(() => Promise.all([import('./inside'), loadAllTexts()]).then(([module]) => module))
export const applicationFrame = lazyModule(() => import('./frame/application-frame'))
export const homePage = lazyModule(() => import('./home-page'))
export const listPage = lazyModule(() => import('@/features/list/list-page'))
export const recordRoute = lazyModule(() => import('./record-route'))
export const portalRoute = lazyModule(() =>
  Promise.all([import('./portal-route'), loadLaterTexts()]).then(([module]) => module),
)
