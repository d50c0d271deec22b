import { add, compare, type Decimal, divide, formatDecimal, integer, negate, parseDecimal, round } from '@/lib/decimal'

/** A row in the order in which the chart shows it. */
export interface Place {
  id: string
  depth: number
  level: string | null
  order: string | null
}

/** What a drop writes: the new order of one row, or of all its siblings when no number is left between two of them. */
export type Drop = { kind: 'move'; writes: { id: string; order: string }[] } | { kind: 'stay' } | { kind: 'refused' }

const STEP = integer(10)

/** The rows below an open row. */
function subtree(rows: Place[], at: number): Place[] {
  const depth = rows[at]?.depth ?? 0
  const end = rows.findIndex((row, i) => i > at && row.depth <= depth)
  return rows.slice(at + 1, end < 0 ? rows.length : end)
}

/** Each row's parent, by id; roots have none. */
function parentsOf(rows: Place[]): Map<string, string | null> {
  const above: string[] = []
  return new Map(
    rows.map((row) => {
      above.length = row.depth
      above[row.depth] = row.id
      return [row.id, above[row.depth - 1] ?? null]
    }),
  )
}

/**
 * Where a row may be put: among the rows below the same parent, beside one of its own level. `index` counts the places in the
 * list without the row itself.
 */
export function drop(rows: Place[], id: string, index: number, scale: number): Drop {
  const at = rows.findIndex((row) => row.id === id)
  const moved = rows[at]
  if (!moved) return { kind: 'stay' }
  const own = new Set(subtree(rows, at).map((row) => row.id))
  const others = rows.filter((row) => row.id !== id)
  const before = others.slice(0, index).filter((row) => !own.has(row.id))
  const after = others.slice(index).filter((row) => !own.has(row.id))
  const parents = parentsOf(rows)
  const parent = parents.get(id) ?? null
  const isSibling = (row: Place) => row.depth === moved.depth && parents.get(row.id) === parent
  const next = after[0]
  // Behind the last sibling and all that is below it, or before a sibling; anywhere else is inside of another row.
  const inPlace = next && next.depth >= moved.depth ? isSibling(next) : parentIsAbove(before, moved.depth, parent)
  if (!inPlace) return { kind: 'refused' }
  const [left, right] = [before.filter(isSibling), after.filter(isSibling)]
  const beside = [left.at(-1), right[0]].filter((row) => row !== undefined)
  if (beside.length > 0 && !beside.some((row) => row.level === moved.level)) return { kind: 'refused' }
  if (left.length === rows.slice(0, at).filter(isSibling).length) return { kind: 'stay' }
  return { kind: 'move', writes: writes(left, moved, right, scale) }
}

function parentIsAbove(before: Place[], depth: number, parent: string | null): boolean {
  return (before.findLast((row) => row.depth < depth)?.id ?? null) === parent
}

const read = (row: Place | undefined) => (row?.order ? parseDecimal(row.order) : undefined)

function between(low: Decimal | undefined, high: Decimal | undefined, scale: number): Decimal | null {
  if (!low && !high) return null
  if (!high) return add(low as Decimal, STEP)
  const bottom = low ?? (high.unscaled > 0n ? integer(0) : add(high, negate(STEP)))
  const middle = round(divide(add(bottom, high), integer(2)) ?? bottom, scale)
  return compare(bottom, middle) < 0 && compare(middle, high) < 0 ? middle : null
}

function writes(left: Place[], moved: Place, right: Place[], scale: number): { id: string; order: string }[] {
  const [low, high] = [read(left.at(-1)), read(right[0])]
  const known = (left.length === 0 || low) && (right.length === 0 || high)
  const middle = known ? between(low, high, scale) : null
  if (middle) return [{ id: moved.id, order: formatDecimal(middle) }]
  return [...left, moved, ...right]
    .map((row, i) => ({ id: row.id, order: String((i + 1) * 10), was: row.order }))
    .filter(({ order, was }) => Number(was ?? Number.NaN) !== Number(order))
    .map(({ id, order }) => ({ id, order }))
}
