import type { MenuNode } from '@/api/types'
import { isOwnPath, isSafeAddress } from '@/lib/address'
import { type Locale, localName } from '@/lib/local-name'
import type { matchWith } from '@/lib/pinyin'

type Match = ReturnType<typeof matchWith>

export interface MenuEntry {
  node: MenuNode
  depth: number
  /** Characters that the search found. */
  hits: number[] | null
}

/** Folders with nothing in them say nothing. */
export function withoutEmptyFolders(nodes: MenuNode[]): MenuNode[] {
  return nodes
    .map((node) => ({ ...node, children: withoutEmptyFolders(node.children) }))
    .filter((node) => node.type !== 'Folder' || node.children.length > 0)
}

/** The lines of the menu as they are drawn: closed folders hide theirs, a search opens what it finds. */
export function visibleEntries(
  nodes: MenuNode[],
  options: { closed: ReadonlySet<string>; query: string; locale: Locale; match: Match },
): MenuEntry[] {
  const { closed, query, locale, match } = options
  const walk = (list: MenuNode[], depth: number, shown: boolean): MenuEntry[] =>
    list.flatMap((node) => {
      const hits = query ? match(localName(node, locale), query) : null
      const inner = walk(node.children, depth + 1, shown || hits !== null)
      if (query && !hits && !shown && inner.length === 0) return []
      const open = query !== '' || !closed.has(node.id)
      return [{ node, depth, hits }, ...(open ? inner : [])]
    })
  return walk(nodes, 0, false)
}

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

/** The first entry of a folder that opens in this window. */
export function firstEntry(folder: MenuNode): MenuNode | null {
  return leaves(folder.children).find((node) => entryLink(node)?.external === false) ?? null
}

/** The entries above an entry, the uppermost first; null when it is not in the tree. */
export function pathTo(nodes: MenuNode[], id: string): MenuNode[] | null {
  for (const node of nodes) {
    if (node.id === id) return []
    const below = pathTo(node.children, id)
    if (below) return [node, ...below]
  }
  return null
}

export function findEntry(nodes: MenuNode[], test: (node: MenuNode) => boolean): MenuNode | null {
  for (const node of nodes) {
    if (test(node)) return node
    const inner = findEntry(node.children, test)
    if (inner) return inner
  }
  return null
}

export const leaves = (nodes: MenuNode[]): MenuNode[] =>
  nodes.flatMap((node) => (node.type === 'Folder' ? leaves(node.children) : [node]))
