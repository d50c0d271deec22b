import type { MenuNode } from '@/api/types'
import { isOwnPath, isSafeAddress, returnPath } from '@/lib/address'

/** What goes along from page to page of an application: where closing leads back to, and the mark of who watches. */
export type Carried = { return?: string; debugId?: string }

const LONGEST_MARK = 100

/** What an address has to carry on. */
export function carriedOf(search: string): Carried {
  const query = new URLSearchParams(search)
  const back = returnPath(query.get('return'))
  const mark = query.get('debugId')
  return { ...(back ? { return: back } : {}), ...(mark && mark.length <= LONGEST_MARK ? { debugId: mark } : {}) }
}

const NOTHING: Carried = {}

/** What the address of an entry says of it, so that the menu finds the entry again. */
function queryOf(node: MenuNode, carried: Carried): URLSearchParams {
  const query = new URLSearchParams()
  if (node.parentId) query.set('parentId', node.parentId)
  query.set('code', node.code)
  if (node.openMode) query.set('openMode', node.openMode)
  for (const [name, value] of Object.entries(carried)) query.set(name, value)
  return query
}

/** Lists of tasks, which show those of the application that leads to them. */
const TASKS = ['/app-todo', '/app-toread', '/app-done', '/app-readed']

/**
 * Where a page is that an entry names by its address. One of the application of the entry has the menu beside it, which finds the entry by
 * what is added here; what the address says already stays.
 */
export function pageAddress(node: MenuNode, carried: Carried): string {
  const url = node.pcUrl ?? ''
  if (TASKS.includes(url)) return `${url}?${new URLSearchParams({ appCode: node.appCode })}`
  if (!url.startsWith(`/application/${node.appCode}/`)) return url
  const [before = '', ...after] = url.split('#')
  const [path, search] = before.split('?')
  const query = new URLSearchParams(search)
  for (const [name, value] of queryOf(node, carried)) if (!query.has(name)) query.set(name, value)
  return [`${path}?${query}`, ...after].join('#')
}

/** Designs of workflows have pages of their own. */
const DESIGN = 'workflow-design'

function pageLink(node: MenuNode, carried: Carried): MenuLink | null {
  const given = node.pcUrl
  if (!given || !isSafeAddress(given)) return null
  const url = pageAddress(node, carried)
  if (node.openMode === 'NEW_PAGE_MODE' || url.includes(DESIGN)) return { to: url, external: true }
  if (node.openMode === 'RECENT_PAGE_MODE') {
    const query = queryOf(node, carried)
    query.set('pcUrl', given)
    return {
      to: `/application/${node.appCode}/application-define/${encodeURIComponent(node.code)}?${query}`,
      external: false,
    }
  }
  return { to: url, external: !isOwnPath(url) }
}

export interface MenuLink {
  to: string
  /** Opens in a window of its own. */
  external: boolean
}

/** Where an entry leads by its type and mode; null when it has no address. */
export function entryLink(node: MenuNode, carried: Carried = NOTHING): MenuLink | null {
  const base = `/application/${node.appCode}`
  const query = queryOf(node, carried)
  const inside = (path: string): MenuLink => ({
    to: `${base}/${path}?${query}`,
    external: node.openMode === 'NEW_PAGE_MODE',
  })
  if (node.type === 'BizModel' && node.schemaCode) {
    if (node.queryCode) query.set('queryCode', node.queryCode)
    return inside(`application-list/${node.schemaCode}`)
  }
  if (node.type === 'Report' && node.reportCode) return inside(`application-report/${node.reportCode}`)
  if (node.type === 'Page' && node.page) return inside(`application-page/${node.page}`)
  if (node.type === 'Page') return pageLink(node, carried)
  if (node.type === 'HomePage') return inside('app-portal-runtime')
  if (node.type === 'Folder') {
    for (const child of node.children) {
      const link = entryLink(child, carried)
      if (link) return link
    }
  }
  return null
}
