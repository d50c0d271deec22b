// The first code that runs, a file of its own that imports nothing: the calls for what the address shows are on their way, and
// so is the code of a list, before the application itself has been read. The client finds the answers here (api/early.ts).
// What is asked and how is written again in the modules that ask; early.test.ts holds the two together.

const PHONE = '(max-width: 719px)'
/** Responses older than this are discarded. */
const MAX_AGE_MS = 10_000

function signedIn(): boolean {
  try {
    const { exp } = JSON.parse(localStorage.getItem('expireTime') ?? '{}') as { exp?: number }
    return (exp ?? 0) > Date.now() / 1000
  } catch {
    return false
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function addresses({ pathname, search }: Location, phone: boolean): string[] {
  const system = '/api/system/config'
  if (!signedIn()) return [system]
  const found = [system, '/api/organization/user/info', '/api/app/apppackage/list']
  if (pathname.startsWith('/app-list')) found.push('/api/app/home')
  const [, appCode, schemaCode] = /^\/application\/([^/]+)(?:\/application-list\/([^/]+))?/.exec(pathname) ?? []
  const add = (path: string, query: Record<string, string>) => found.push(`${path}?${new URLSearchParams(query)}`)
  const portalCode = /^\/portal-page\/([^/]+)/.exec(pathname)?.[1]
  if (portalCode) add('/api/runtime/portal/get', { portalCode: decoded(portalCode) })
  if (appCode) add('/api/app/function/tree', { appCode: decoded(appCode) })
  if (schemaCode) {
    const queryCode = new URLSearchParams(search).get('queryCode')
    const list = { schemaCode: decoded(schemaCode), ...(queryCode ? { queryCode } : {}) }
    add('/api/runtime/query/config', list)
    add('/api/runtime/query/saved_filters', list)
    if (!phone) add('/api/runtime/query/headers', { schemaCode: list.schemaCode, clientType: 'PC' })
  }
  return found
}

function preloadCode() {
  const chunks = document.querySelector('script[data-list]')?.getAttribute('data-list') ?? ''
  for (const href of chunks.split(' ').filter(Boolean)) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href, crossOrigin: '' }))
  }
}

const phone = window.matchMedia(PHONE).matches
// As i18n/locale.ts finds it.
const locale =
  [localStorage.getItem('locale'), document.documentElement.dataset.language, ...navigator.languages]
    .map((one) => /^(zh|en)/i.exec(one ?? '')?.[0].toLowerCase())
    .find(Boolean) ?? 'en'
const headers = { Accept: 'application/json', 'Accept-Language': locale, 'X-Requested-With': 'XMLHttpRequest' }
const answers = new Map<string, Promise<Response>>()
// The browser runs this file as soon as it has it, on a slow network after the application: what that has asked for is not asked twice.
const late = 'sluiceEarly' in window
for (const url of late || sessionStorage.getItem('seeAs') ? [] : addresses(window.location, phone)) {
  const answer = fetch(url, { credentials: 'same-origin', headers })
  answer.catch(() => {}) // who takes it is told
  answers.set(`${locale} ${url}`, answer)
}
if (!late) Object.assign(window, { sluiceEarly: answers })
setTimeout(() => {
  // A response that nobody reads keeps its request open.
  for (const answer of answers.values()) answer.then(({ body }) => body?.cancel()).catch(() => {})
  answers.clear()
}, MAX_AGE_MS)
if (!phone && signedIn() && window.location.pathname.includes('/application-list/')) preloadCode()

export {}
