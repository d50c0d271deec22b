import type { MenuNode } from '@/api/types'
import { type Locale, localName } from '@/lib/local-name'
import type { matchWith } from '@/lib/pinyin'
import { entryLink } from '@/sdk/menu-link'

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
