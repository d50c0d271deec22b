import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ListPage, ListRequest, Row } from '@/api/types'
import type { MarkedRow } from '../table/row-marks'
import { childrenQuery, type RowSource } from './queries'

/** A row as the table shows it: in trees with its depth, and whether it can be opened. */
export interface ShownRow extends MarkedRow {
  depth: number
  branch: 'open' | 'closed' | 'loading' | null
  /** It was not found: it says where the rows below it stand. */
  above?: boolean
}

/** Rows that were found in a tree, in their order, each below the rows above it. */
export function placeFound(found: Row[], ancestors: Row[]): ShownRow[] {
  const all = new Map<string, Row>()
  for (const row of [...found, ...ancestors]) if (!all.has(row.id)) all.set(row.id, row)
  const own = new Set(found.map((row) => row.id))
  const below = new Map<string, Row[]>()
  const placed = new Set<string>()
  for (const row of found) {
    for (let at: Row | undefined = row; at && !placed.has(at.id); at = all.get(at.parentId ?? '')) {
      placed.add(at.id)
      const parent = at.parentId && all.has(at.parentId) ? at.parentId : ''
      below.set(parent, [...(below.get(parent) ?? []), at])
    }
  }
  const walk = (rows: Row[], depth: number): ShownRow[] =>
    rows.flatMap((row) => [
      { ...row, depth, branch: null, ...(own.has(row.id) || row.match ? {} : { above: true }) },
      ...walk(below.get(row.id) ?? [], depth + 1),
    ])
  return walk(below.get('') ?? [], 0)
}

/** Puts loaded children below their open parents. */
export function flatten(
  roots: Row[],
  expanded: ReadonlySet<string>,
  children: ReadonlyMap<string, Row[] | undefined>,
): ShownRow[] {
  const seen = new Set<string>()
  const walk = (rows: Row[], depth: number): ShownRow[] =>
    rows.flatMap((row) => {
      if (seen.has(row.id)) return [] // moved between two calls: it is where it was met first
      seen.add(row.id)
      const open = expanded.has(row.id)
      const loaded = children.get(row.id)
      const branch = row.leaf ? null : open ? (loaded ? 'open' : 'loading') : 'closed'
      return [{ ...row, depth, branch }, ...(open && loaded && !row.leaf ? walk(loaded, depth + 1) : [])]
    })
  return walk(roots, 0)
}

/** Open rows that can be seen: what lies below a closed row, or is gone, is not asked for. */
export function reachable(
  roots: Row[],
  expanded: ReadonlySet<string>,
  childrenOf: (id: string) => Row[] | undefined,
): string[] {
  const seen = new Set<string>()
  const walk = (rows: Row[]): string[] =>
    rows.flatMap(({ id, leaf }) => {
      if (leaf || !expanded.has(id) || seen.has(id)) return []
      seen.add(id)
      return [id, ...walk(childrenOf(id) ?? [])]
    })
  return walk(roots)
}

/** The rows of a tree list; children are fetched when their row is opened, and stay through a refresh. */
export function useTreeRows(
  roots: Row[],
  /** Of a search in a tree: the rows above those that were found. */
  ancestors: Row[] | undefined,
  expanded: ReadonlySet<string>,
  request: ListRequest,
  tree: boolean,
  source: RowSource,
): ShownRow[] {
  const client = useQueryClient()
  const query = (parentId: string) => childrenQuery({ ...request, parentId }, source)
  const found = tree
    ? reachable(roots, expanded, (id) => client.getQueryData<ListPage>(query(id).queryKey)?.content).join()
    : ''
  const ids = useMemo(() => (found ? found.split(',') : []), [found])
  const results = useQueries({
    queries: ids.map(query),
    combine: (all) => all.map((result) => result.data?.content),
  })
  return useMemo(() => {
    if (ancestors) return placeFound(roots, ancestors)
    if (!tree) return roots.map((row) => ({ ...row, depth: 0, branch: null }))
    return flatten(roots, expanded, new Map(ids.map((id, i) => [id, results[i]])))
  }, [tree, roots, ancestors, expanded, ids, results])
}
