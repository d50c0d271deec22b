import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ListRequest, Row } from '@/api/types'
import { type RowSource, rowsQuery } from './queries'
import type { MarkedRow } from './row-marks'

/** A row as the table shows it: in trees with its depth, and whether it can be opened. */
export interface ShownRow extends MarkedRow {
  depth: number
  branch: 'open' | 'closed' | 'loading' | null
}

const CHILDREN = 500

/** Puts loaded children below their open parents. */
export function flatten(
  roots: Row[],
  expanded: ReadonlySet<string>,
  children: ReadonlyMap<string, Row[] | undefined>,
): ShownRow[] {
  const walk = (rows: Row[], depth: number): ShownRow[] =>
    rows.flatMap((row) => {
      const open = expanded.has(row.id)
      const loaded = children.get(row.id)
      const branch = row.leaf ? null : open ? (loaded ? 'open' : 'loading') : 'closed'
      return [{ ...row, depth, branch }, ...(open && loaded && !row.leaf ? walk(loaded, depth + 1) : [])]
    })
  return walk(roots, 0)
}

/** The rows of a tree list; children are fetched when their row is opened, and stay through a refresh. */
export function useTreeRows(
  roots: Row[],
  expanded: ReadonlySet<string>,
  request: ListRequest,
  tree: boolean,
  source: RowSource,
): ShownRow[] {
  const ids = useMemo(() => (tree ? [...expanded] : []), [tree, expanded])
  const results = useQueries({
    queries: ids.map((parentId) => rowsQuery({ ...request, parentId, page: 0, size: CHILDREN }, null, source)),
    combine: (all) => all.map((result) => result.data?.content),
  })
  return useMemo(() => {
    if (!tree) return roots.map((row) => ({ ...row, depth: 0, branch: null }))
    return flatten(roots, expanded, new Map(ids.map((id, i) => [id, results[i]])))
  }, [tree, roots, expanded, ids, results])
}
