import type { FormField } from '@/api/types'
import { filledRows, type Values, withoutEmpty } from '../rules/values'
import { changedColumns, conflictsOf, mergeRows, type Row, type RowConflict, rowsOf, sidesOf } from './merge-rows'
import { sameFor } from './same'

export type Side = 'mine' | 'theirs'

/** What a side did to the rows of a sub-table. */
export interface RowChanges {
  added: number
  changed: number
  removed: number
  /** The rows that stayed stand in another order. */
  moved: boolean
}

/** A field that at least one side changed since the record was opened. */
export interface MergeField {
  field: FormField
  base: unknown
  mine: unknown
  theirs: unknown
  /** Who changed it; "same" when both made it the same. */
  by: Side | 'both' | 'same'
  /** Only of sub-tables. */
  rows?: Record<Side, RowChanges>
  /** Only of sub-tables that both changed: they become one row by row, but for what is asked. */
  asks?: RowConflict[]
}

/** By the code of a field, and in sub-tables that both changed by the key of what is asked. "rows": merged row by row. */
export type Choices = Record<string, Side | 'rows'>

/** Whether two values of a field say the same; rows by what can be written in them. */
function same(field: FormField, a: unknown, b: unknown): boolean {
  if (!field.children) return sameFor(field, a, b)
  const { added, changed, removed, moved } = rowChanges(field, a, b)
  return !moved && added + changed + removed === 0
}

export function rowChanges(field: FormField, before: unknown, after: unknown): RowChanges {
  const old = new Map(rowsOf(before).map((row) => [row.id, row]))
  const now = rowsOf(after)
  const stayed = now.filter((row) => row.id !== undefined && old.has(row.id))
  const differs = (row: Row) => changedColumns(field, old.get(row.id) ?? {}, row).length > 0
  const ids = new Set(stayed.map((row) => row.id))
  const order = [...old.keys()].filter((id) => ids.has(id))
  return {
    added: now.length - stayed.length,
    changed: stayed.filter(differs).length,
    removed: old.size - ids.size,
    moved: stayed.some((row, i) => row.id !== order[i]),
  }
}

/** Rows without an id are compared by their place: both sides of such a comparison came from one person. */
function sameRows(field: FormField, a: unknown, b: unknown): boolean {
  const [left, right] = [rowsOf(a), rowsOf(b)]
  return left.length === right.length && left.every((row, i) => changedColumns(field, row, right[i] ?? {}).length === 0)
}

/**
 * What became of each field on both sides, in the order of the form. Fields that cannot be written are not among them:
 * they are what the record says now.
 */
export function compareSides(fields: FormField[], base: Values, mine: Values, theirs: Values): MergeField[] {
  const out: MergeField[] = []
  for (const field of fields) {
    if (field.readOnly) continue
    const code = field.propertyCode
    const [was, other] = [base[code] ?? null, theirs[code] ?? null]
    // The empty row that a key adds at the end is nothing that anybody did.
    const own = Array.isArray(mine[code]) ? filledRows(field, mine[code]) : (mine[code] ?? null)
    const byMe = !same(field, was, own)
    const byThem = !same(field, was, other)
    if (!byMe && !byThem) continue
    const equal = byMe && byThem && (field.children ? sameRows(field, own, other) : same(field, own, other))
    out.push({
      field,
      base: was,
      mine: own,
      theirs: other,
      by: equal ? 'same' : byMe && byThem ? 'both' : byMe ? 'mine' : 'theirs',
      ...(field.children ? { rows: { mine: rowChanges(field, was, own), theirs: rowChanges(field, was, other) } } : {}),
      ...(field.children && byMe && byThem && !equal
        ? { asks: conflictsOf(field, sidesOf(field, was, own, other)) }
        : {}),
    })
  }
  return out
}

/** What nobody has to decide: each takes the side that changed it, rows each their own. Where both did, there is no choice yet. */
export function firstChoices(list: MergeField[]): Choices {
  const choices: Choices = {}
  for (const { field, by, asks } of list) {
    if (by === 'mine' || by === 'theirs') choices[field.propertyCode] = by
    else if (asks) choices[field.propertyCode] = 'rows'
  }
  return choices
}

export function allOf(list: MergeField[], side: Side): Choices {
  return Object.fromEntries(
    list
      .filter(({ by }) => by !== 'same')
      .flatMap(({ field, asks = [] }) => [[field.propertyCode, side], ...asks.map((ask) => [ask.key, side])]),
  )
}

/** The codes of the fields, and the keys of what is asked of rows, that still need a choice. */
export const undecided = (list: MergeField[], choices: Choices): string[] =>
  list.flatMap(({ field, by, asks = [] }) => {
    const choice = choices[field.propertyCode]
    if (choice === 'rows') return asks.flatMap(({ key }) => (choices[key] ? [] : [key]))
    return by === 'same' || choice ? [] : [field.propertyCode]
  })

/** The record as it is now with what is taken of mine. */
export function merge(list: MergeField[], choices: Choices, theirs: Values): Values {
  const merged: Values = { ...theirs }
  for (const item of list) {
    const code = item.field.propertyCode
    if (choices[code] === 'rows') merged[code] = rowsMerged(item, choices)
    else if (choices[code] === 'mine')
      merged[code] = item.field.children ? keptRows(item.mine, theirs[code]) : item.mine
  }
  return withoutEmpty(merged)
}

/** A sub-table that became one row by row; what is still asked is as it is now. */
export function rowsMerged({ field, base, mine, theirs }: MergeField, choices: Choices): Row[] {
  return mergeRows(field, sidesOf(field, base, mine, theirs), (key) => {
    const choice = choices[key]
    return choice === 'rows' ? undefined : choice
  })
}

/** Rows that the other side removed come back as new ones: the record has none of that id any more. */
function keptRows(mine: unknown, theirs: unknown): unknown {
  if (!Array.isArray(mine)) return mine
  const there = new Set(rowsOf(theirs).map((row) => row.id))
  return rowsOf(mine).map((row) => {
    const { id, ...rest } = row
    return id === undefined || there.has(id) ? row : rest
  })
}
