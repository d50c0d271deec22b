import { loadAllTexts } from '@/i18n/i18n'
import { part } from '@/lib/part'

// The pages that an address may open with: what reads them ahead and what draws them find them here.
export const loginPage = part(() => import('@/features/account/login-page'))
export const inside = part(() => Promise.all([import('./inside'), loadAllTexts()]).then(([module]) => module))
export const applicationFrame = part(() => import('./frame/application-frame'))
export const homePage = part(() => import('./home-page'))
export const listPage = part(() => import('@/features/list/list-page'))
export const recordRoute = part(() => import('./record-route'))
