import type { QueryClient } from '@tanstack/react-query'
import { matchPath } from 'react-router'
import { likelySignedIn } from '@/api/session'
import { recordQuery } from '@/features/form/api'
import { prefetchList } from '@/features/list/data/prefetch'
import { loadView } from '@/features/list/views'
import { menuQuery } from '@/features/menu/queries'
import { homeSearch } from '@/features/workflow/center/home-search'
import { useLocaleStore } from '@/i18n/locale'
import { deferUntilRowsPainted } from '@/lib/settled'
import { PHONE } from '@/lib/use-media'
import { bundlesQuery } from '@/registry/bundles'
import { appsQuery, homeQuery } from '@/sdk/home'
import { meQuery } from '@/sdk/me'
import { systemConfigQuery } from '@/sdk/system'
import { itemsQuery } from '@/sdk/work-items'
import { applicationFrame, homePage, inside, listPage, loginPage, recordRoute } from './parts'

/**
 * Asks at once for all that the address will need: code and answers arrive side by side, while the first modules are still
 * being read, and not one after the other as the pages are drawn. What fails here is asked for again by its page. The promise
 * ends when the code is there.
 */
export async function preload(client: QueryClient, { pathname, search }: Location): Promise<void> {
  const system = client.fetchQuery(systemConfigQuery)
  system.catch(() => {})
  const code: Promise<unknown>[] = []
  const settled = () => Promise.allSettled(code).then(() => {})
  if (!likelySignedIn()) {
    if (pathname !== '/setup') code.push(loginPage.read())
    return settled()
  }
  code.push(inside.read())
  void client.prefetchQuery(meQuery)
  void client.prefetchQuery(bundlesQuery)
  void client.prefetchQuery(appsQuery)
  const query = new URLSearchParams(search)
  const { appCode } = matchPath('/application/:appCode/*', pathname)?.params ?? {}
  const { schemaCode } = matchPath('/application/:appCode/application-list/:schemaCode', pathname)?.params ?? {}
  if (appCode) {
    code.push(applicationFrame.read())
    void client.prefetchQuery(menuQuery(appCode))
  }
  if (pathname.startsWith('/app-list') || pathname === '/') {
    code.push(homePage.read())
    void client.prefetchQuery(homeQuery)
    system
      .then(({ appCode }) => client.prefetchQuery(itemsQuery('unfinished', homeSearch(appCode ?? undefined))))
      .catch(() => {})
  }
  if (schemaCode) {
    const phone = window.matchMedia(PHONE).matches
    if (!phone) deferUntilRowsPainted()
    code.push(listPage.read(), loadView(phone))
    const context = system.then(({ timezone }) => ({ zone: timezone, locale: useLocaleStore.getState().locale }))
    prefetchList(client, schemaCode, query, context, phone).catch(() => {})
  }
  const record = query.get('schemaCode')
  if (pathname === '/form/detail' && record) {
    code.push(recordRoute.read())
    const objectId = query.get('key') ?? query.get('objectId') ?? undefined
    const sheetCode = query.get('sheetCode') ?? undefined
    void client.prefetchQuery(recordQuery({ schemaCode: record, sheetCode, objectId }))
  }
  return settled()
}
