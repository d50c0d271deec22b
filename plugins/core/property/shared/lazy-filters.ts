import { lazy } from 'react'

/** Filter controls come when a panel draws them: a list that shows none does not wait for them. */
export const TextFilter = lazy(() => import('./text-filter').then((m) => ({ default: m.TextFilter })))
export const PartyFilter = lazy(() => import('./party-filter').then((m) => ({ default: m.PartyFilter })))
export const RelationFilter = lazy(() => import('./relation-filter').then((m) => ({ default: m.RelationFilter })))
