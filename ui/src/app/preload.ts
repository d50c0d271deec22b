import type { QueryClient } from '@tanstack/react-query'
import { matchPath } from 'react-router'
import { likelySignedIn } from '@/api/session'
import { recordQuery } from '@/features/form/api'
import { prefetchList } from '@/features/list/data/prefetch'
import { loadView } from '@/features/list/views'
import { menuQuery } from '@/features/menu/queries'
import { homeSearch } from '@/features/workflow/center/home-search'
import { useLocaleStore } from '@/i18n/locale'
import { returnPath } from '@/lib/address'
import { deferUntilRowsPainted } from '@/lib/settled'
import { PHONE } from '@/lib/use-media'
import { bundlesQuery } from '@/registry/bundles'
import { appsQuery, homeQuery } from '@/sdk/home'
import { meQuery } from '@/sdk/me'
import { portalQuery, WORKBENCH } from '@/sdk/portal'
import { hasWorkbench, knowsReader, type SystemConfig, systemConfigQuery } from '@/sdk/system'
import { itemsQuery } from '@/sdk/work-items'
import { applicationFrame, homePage, inside, listPage, loginPage, portalRoute, recordRoute } from './parts'

type Address = Pick<Location, 'pathname' | 'search'>

/**
 * Asks at once for all that the address will need: code and answers arrive side by side, while the first modules are still
 * being read, and not one after the other as the pages are drawn. What fails here is asked for again by its page. The promise
 * ends when the code is there.
 */
export async function preload(client: QueryClient, address: Address): Promise<void> {
  if (likelySignedIn()) {
    const code = readPages(address)
    void client.prefetchQuery(meQuery)
    ask(client, address)
    await code
    return
  }
  void client.prefetchQuery(systemConfigQuery)
  if (address.pathname === '/setup') return
  await loginPage.read().catch(() => {})
  // While somebody types a password, the pages behind it arrive.
  const behind = behindSignIn(address)
  if (behind) whenIdle(() => void readPages(behind))
}

/** The same for who has just signed in and goes to an address. Who has to change the password first is asked for nothing else. */
export async function preloadSignedIn(client: QueryClient, to: string): Promise<void> {
  const address = new URL(to, window.location.origin)
  void readPages(address)
  const me = await client.fetchQuery(meQuery)
  if (!me.mustChangePassword && !me.mustSetUpFactor) ask(client, address)
}

const isHome = (pathname: string) => pathname.startsWith('/app-list')
const mayBeWorkbench = (pathname: string) => pathname === '/' || pathname.startsWith('/portal-page')
const listOf = (pathname: string) =>
  matchPath('/application/:appCode/application-list/:schemaCode', pathname)?.params.schemaCode

function readPages({ pathname, search }: Address): Promise<void> {
  const code: Promise<unknown>[] = [inside.read()]
  if (pathname.startsWith('/application/')) code.push(applicationFrame.read())
  if (isHome(pathname)) code.push(homePage.read())
  if (mayBeWorkbench(pathname)) code.push(portalRoute.read())
  if (listOf(pathname)) code.push(listPage.read(), loadView(isPhone()))
  if (pathname === '/form/detail' && new URLSearchParams(search).get('schemaCode')) code.push(recordRoute.read())
  return Promise.allSettled(code).then(() => {})
}

function ask(client: QueryClient, { pathname, search }: Address) {
  const system = client.fetchQuery({ ...systemConfigQuery, staleTime: knownFor(client) })
  system.catch(() => {})
  void client.prefetchQuery(bundlesQuery)
  void client.prefetchQuery(appsQuery)
  const query = new URLSearchParams(search)
  const { appCode } = matchPath('/application/:appCode/*', pathname)?.params ?? {}
  if (appCode) void client.prefetchQuery(menuQuery(appCode))
  if (isHome(pathname)) askHome(client, system)
  if (pathname === '/')
    system
      .then((config) => (hasWorkbench(config) ? askPortal(client, WORKBENCH) : askHome(client, system)))
      .catch(() => {})
  const { pageCode } = matchPath('/portal-page/:pageCode', pathname)?.params ?? {}
  if (pageCode) askPortal(client, pageCode)
  const schemaCode = listOf(pathname)
  if (schemaCode) {
    const phone = isPhone()
    if (!phone) deferUntilRowsPainted()
    const context = system.then(({ timezone }) => ({ zone: timezone, locale: useLocaleStore.getState().locale }))
    prefetchList(client, schemaCode, query, context, phone).catch(() => {})
  }
  const record = query.get('schemaCode')
  if (pathname === '/form/detail' && record) {
    const objectId = query.get('key') ?? query.get('objectId') ?? undefined
    const sheetCode = query.get('sheetCode') ?? undefined
    void client.prefetchQuery(recordQuery({ schemaCode: record, sheetCode, objectId }))
  }
}

/** What the server told before the sign-in says nothing about the reader. */
const knownFor = (client: QueryClient) =>
  knowsReader(client.getQueryData<SystemConfig>(systemConfigQuery.queryKey)) ? systemConfigQuery.staleTime : 0

const askPortal = (client: QueryClient, portalCode: string) =>
  void client.prefetchQuery(portalQuery(portalCode, 'runtime'))

function askHome(client: QueryClient, system: Promise<SystemConfig>) {
  void client.prefetchQuery(homeQuery)
  system
    .then(({ appCode }) => client.prefetchQuery(itemsQuery('unfinished', homeSearch(appCode ?? undefined))))
    .catch(() => {})
}

const isPhone = () => window.matchMedia(PHONE).matches

const PUBLIC = /^\/(setup|oauth|oauthCallback|login-error|external-link|NewPortal)\b/

/** Where a sign-in at an address leads. */
function behindSignIn({ pathname, search }: Address): Address | null {
  if (PUBLIC.test(pathname)) return null
  if (pathname !== '/login') return { pathname, search }
  return new URL(returnPath(new URLSearchParams(search).get('return')) ?? '/', window.location.origin)
}

/** Safari has no requestIdleCallback. */
const whenIdle = (then: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(then, { timeout: 2000 }) : setTimeout(then, 500)
