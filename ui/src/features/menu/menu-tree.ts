import type { MenuNode } from '@/api/types'
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

/** Where an entry leads; null when it has no address. External and new-window entries open outside the shell. */
export function entryLink(node: MenuNode): { to: string; external: boolean } | null {
  const base = `/application/${node.appCode}`
  const query = new URLSearchParams({ ...(node.parentId ? { parentId: node.parentId } : {}), code: node.code })
  if (node.type === 'BizModel' && node.schemaCode) {
    if (node.queryCode) query.set('queryCode', node.queryCode)
    return { to: `${base}/application-list/${node.schemaCode}?${query}`, external: false }
  }
  if (node.type === 'Report' && node.reportCode) {
    return { to: `${base}/application-report/${node.reportCode}?${query}`, external: false }
  }
  if (node.type === 'Page' && node.page)
    return { to: `${base}/application-page/${node.page}?${query}`, external: false }
  if (node.type === 'Page' && node.pcUrl && /^(https?:\/\/|\/(?!\/))/.test(node.pcUrl)) {
    return { to: node.pcUrl, external: node.openMode === 'NEW_PAGE_MODE' || !node.pcUrl.startsWith('/') }
  }
  if (node.type === 'Folder') {
    for (const child of node.children) {
      const link = entryLink(child)
      if (link) return link
    }
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
