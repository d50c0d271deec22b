import type { MenuNode } from '@/api/types'
import { isOwnPath, isSafeAddress } from '@/lib/address'

/** What the address of an entry says of it, so that the menu finds the entry again. */
function queryOf(node: MenuNode): URLSearchParams {
  const query = new URLSearchParams()
  if (node.parentId) query.set('parentId', node.parentId)
  query.set('code', node.code)
  if (node.openMode) query.set('openMode', node.openMode)
  return query
}

/** Designs of workflows have pages of their own. */
const DESIGN = 'workflow-design'

/** Lists of tasks, which show those of the application that leads to them. */
const TASKS = ['/app-todo', '/app-toread', '/app-done', '/app-readed']

function pageLink(node: MenuNode): MenuLink | null {
  const given = node.pcUrl
  if (!given || !isSafeAddress(given)) return null
  const url = TASKS.includes(given) ? `${given}?${new URLSearchParams({ appCode: node.appCode })}` : given
  if (node.openMode === 'NEW_PAGE_MODE' || url.includes(DESIGN)) return { to: url, external: true }
  if (node.openMode === 'RECENT_PAGE_MODE') {
    const query = queryOf(node)
    query.set('pcUrl', url)
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
export function entryLink(node: MenuNode): MenuLink | null {
  const base = `/application/${node.appCode}`
  const query = queryOf(node)
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
  if (node.type === 'Page') return pageLink(node)
  if (node.type === 'HomePage') return inside('app-portal-runtime')
  if (node.type === 'Folder') {
    for (const child of node.children) {
      const link = entryLink(child)
      if (link) return link
    }
  }
  return null
}
