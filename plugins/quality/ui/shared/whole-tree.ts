import type { TreeItem } from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Ask } from './api'

/** A node of a tree that comes in one piece. */
export interface Nested<N> {
  id: string
  children?: N[]
}

/** The number of an answer: one that says the same has the same number, as it is the same object. */
const numbers = new WeakMap<object, number>()
let last = 0
function numberOf(answer: object | undefined): number {
  if (!answer) return 0
  const known = numbers.get(answer) ?? ++last
  numbers.set(answer, known)
  return known
}

/** Lets a tree that the server gives in one piece be drawn branch by branch, and searched here. */
export function useWholeTree<N extends Nested<N>>(
  query: { queryKey: readonly unknown[]; queryFn: (ask: Ask) => Promise<N[]> },
  itemOf: (node: N, parentId: string | null) => TreeItem,
) {
  const whole = useQuery(query)
  const refetch = whole.refetch
  const read = useCallback(async () => {
    const { data, error } = whole.data ? whole : await refetch()
    if (!data) throw error
    return data
  }, [whole, refetch])
  const load = useCallback(
    async (parentId: string): Promise<TreeItem[]> => {
      const roots = await read()
      if (parentId === '') return roots.map((one) => itemOf(one, null))
      return (find(roots, parentId)?.children ?? []).map((one) => itemOf(one, parentId))
    },
    [read, itemOf],
  )
  const search = useCallback(
    async (keyword: string): Promise<TreeItem[]> => hits(await read(), keyword.toLowerCase(), itemOf),
    [read, itemOf],
  )
  const above = useCallback(
    async (id: string): Promise<TreeItem[]> => pathTo(await read(), id).map((node) => itemOf(node, null)),
    [read, itemOf],
  )
  /** The answer is not there yet: what is drawn before would be drawn again when it comes. */
  const hold = whole.isPending && whole.fetchStatus === 'fetching'
  return { whole, load, search, above, stamp: numberOf(whole.data), hold }
}

function find<N extends Nested<N>>(nodes: readonly N[], id: string): N | undefined {
  for (const node of nodes) {
    if (node.id === id) return node
    const below = find(node.children ?? [], id)
    if (below) return below
  }
  return undefined
}

/** The nodes above one, the top first. */
export function pathTo<N extends Nested<N>>(nodes: readonly N[], id: string): N[] {
  for (const node of nodes) {
    if (!node.children?.length) continue
    if (node.children.some((child) => child.id === id)) return [node]
    const below = pathTo(node.children, id)
    if (below.length > 0) return [node, ...below]
  }
  return []
}

/** The nodes whose title or code has a text, and all above them. */
export function hits<N extends Nested<N>>(
  nodes: readonly N[],
  word: string,
  itemOf: (node: N, parentId: string | null) => TreeItem,
  parentId: string | null = null,
): TreeItem[] {
  return nodes.flatMap((node) => {
    const item = itemOf(node, parentId)
    const below = hits(node.children ?? [], word, itemOf, node.id)
    const match = `${item.code ?? ''} ${item.title}`.toLowerCase().includes(word)
    return match || below.length > 0 ? [{ ...item, match }, ...below] : []
  })
}
