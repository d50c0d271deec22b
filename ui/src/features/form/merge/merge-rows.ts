import type { FormField } from '@/api/types'
import { filledRows } from '../rules/values'
import type { Side } from './merge'
import { sameFor } from './same'

export type Row = Record<string, unknown> & { id?: string }

/** What people have to decide in a sub-table. `row` is its number when the record was opened. */
export type RowConflict =
  | { kind: 'cell'; key: string; row: number; column: FormField; base: unknown; mine: unknown; theirs: unknown }
  | { kind: 'row'; key: string; row: number; removedBy: Side; base: Row; changed: Row }
  | { kind: 'order'; key: string }

/** The states of a sub-table that become one. Rows are who their ids say; rows without an id are new. */
export interface Sides {
  base: Row[]
  mine: Row[]
  theirs: Row[]
}

export type Decided = (key: string) => Side | undefined

export const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : [])

export const sidesOf = (field: FormField, base: unknown, mine: unknown, theirs: unknown): Sides => ({
  base: rowsOf(base),
  mine: filledRows(field, rowsOf(mine)),
  theirs: rowsOf(theirs),
})

const writable = (field: FormField) => (field.children ?? []).filter((column) => !column.readOnly) as FormField[]
const byId = (rows: Row[]) => new Map(rows.flatMap((row) => (row.id === undefined ? [] : [[row.id, row] as const])))

/** The columns in which two states of a row differ. */
export function changedColumns(field: FormField, a: Row, b: Row): FormField[] {
  return writable(field).filter((column) => !sameFor(column, a[column.propertyCode], b[column.propertyCode]))
}

/** Whether a side put the rows that are in all three states into another order. */
function moved(base: Row[], side: Row[], common: Set<string>): boolean {
  const order = (rows: Row[]) => rows.flatMap(({ id }) => (id !== undefined && common.has(id) ? [id] : []))
  const [before, now] = [order(base), order(side)]
  return now.some((id, i) => id !== before[i])
}

function orders({ base, mine, theirs }: Sides) {
  const [own, other] = [byId(mine), byId(theirs)]
  const common = new Set(base.flatMap(({ id }) => (id !== undefined && own.has(id) && other.has(id) ? [id] : [])))
  const [byMe, byThem] = [moved(base, mine, common), moved(base, theirs, common)]
  return { byMe, byThem, differ: byMe && byThem && moved(mine, theirs, common) }
}

/** What both sides did to the same cell, to the same row, and to the order: all else becomes one by itself. */
export function conflictsOf(field: FormField, sides: Sides): RowConflict[] {
  const [own, other] = [byId(sides.mine), byId(sides.theirs)]
  const code = field.propertyCode
  const out: RowConflict[] = []
  sides.base.forEach((was, index) => {
    const id = was.id ?? ''
    const [mine, theirs] = [own.get(id), other.get(id)]
    const row = index + 1
    if (!mine && !theirs) return
    if (!mine || !theirs) {
      const changed = (mine ?? theirs) as Row
      if (changedColumns(field, was, changed).length > 0)
        out.push({ kind: 'row', key: `${code}/${id}`, row, removedBy: mine ? 'theirs' : 'mine', base: was, changed })
      return
    }
    const ours = new Set(changedColumns(field, was, mine))
    for (const column of changedColumns(field, was, theirs)) {
      const at = column.propertyCode
      if (!ours.has(column) || sameFor(column, mine[at], theirs[at])) continue
      out.push({
        kind: 'cell',
        key: `${code}/${id}/${at}`,
        row,
        column,
        base: was[at] ?? null,
        mine: mine[at] ?? null,
        theirs: theirs[at] ?? null,
      })
    }
  })
  if (orders(sides).differ) out.push({ kind: 'order', key: `${code}/` })
  return out
}

/** A row as it is now, with the cells that are mine. */
function mergedRow(field: FormField, was: Row, mine: Row, theirs: Row, decided: Decided): Row {
  const out: Row = { ...theirs }
  for (const column of changedColumns(field, was, mine)) {
    const at = column.propertyCode
    const conflict = !sameFor(column, was[at], theirs[at]) && !sameFor(column, mine[at], theirs[at])
    if (!conflict || decided(`${field.propertyCode}/${was.id}/${at}`) === 'mine') out[at] = mine[at]
  }
  return out
}

/**
 * One table out of three, row by row. The side that moved rows gives the order; rows that it does not know follow the one
 * that they followed on the other side. A row that they removed and I keep comes back as a new one: its id is gone.
 */
export function mergeRows(field: FormField, sides: Sides, decided: Decided): Row[] {
  const [was, own, other] = [byId(sides.base), byId(sides.mine), byId(sides.theirs)]
  const keeps = (id: string, side: Side) => decided(`${field.propertyCode}/${id}`) === side
  /** What becomes of a row that a side shows; null when it goes. */
  const became = (row: Row): Row | null => {
    const id = row.id
    const before = id === undefined ? undefined : was.get(id)
    if (id === undefined || !before) return row
    const [mine, theirs] = [own.get(id), other.get(id)]
    if (mine && theirs) return mergedRow(field, before, mine, theirs, decided)
    const changed = changedColumns(field, before, row).length > 0
    if (theirs) return changed && keeps(id, 'theirs') ? theirs : null
    if (!changed || !keeps(id, 'mine')) return null
    const { id: _, ...again } = row
    return again
  }
  const { byMe, byThem } = orders(sides)
  const lead = byMe && (!byThem || decided(`${field.propertyCode}/`) === 'mine') ? 'mine' : 'theirs'
  const follow = lead === 'mine' ? 'theirs' : 'mine'
  const known = lead === 'mine' ? own : other
  const out: { from: Row; row: Row | null }[] = sides[lead].map((row) => ({ from: row, row: became(row) }))
  let last = -1
  for (const row of sides[follow]) {
    const here = row.id !== undefined && known.has(row.id) ? out.findIndex(({ from }) => from.id === row.id) : -1
    if (here >= 0) last = here
    else out.splice(++last, 0, { from: row, row: became(row) })
  }
  return out.flatMap(({ row }) => (row ? [row] : []))
}
