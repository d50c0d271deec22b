import type { FormField } from '@/api/types'
import { canonical } from '@/lib/decimal'
import { sameValue, type Values, withoutEmpty } from './values'

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
}

export type Choices = Record<string, Side>

type Row = Record<string, unknown>
const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : [])
const number = 2

/** Whether two values of a field say the same: entries by their id, numbers by their worth, rows by what can be written. */
export function sameFor(field: FormField, a: unknown, b: unknown): boolean {
  if (field.children) {
    const { added, changed, removed, moved } = rowChanges(field, a, b)
    return !moved && added + changed + removed === 0
  }
  if (field.propertyType === number && typeof a === 'string' && typeof b === 'string')
    return (canonical(a) ?? a) === (canonical(b) ?? b)
  return sameValue(identity(a), identity(b))
}

/** People, records and options are who they are, whatever they are called today. */
function identity(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(identity)
  if (typeof value === 'object' && value !== null && typeof (value as Row).id === 'string') {
    const { id, type } = value as Row
    return { id, type }
  }
  return value
}

export function rowChanges(field: FormField, before: unknown, after: unknown): RowChanges {
  const columns = (field.children ?? []).filter((column) => !column.readOnly) as FormField[]
  const old = new Map(rowsOf(before).map((row) => [row.id, row]))
  const now = rowsOf(after)
  const stayed = now.filter((row) => row.id !== undefined && old.has(row.id))
  const differs = (row: Row) =>
    columns.some((column) => !sameFor(column, old.get(row.id)?.[column.propertyCode], row[column.propertyCode]))
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
  const columns = (field.children ?? []).filter((column) => !column.readOnly) as FormField[]
  return (
    left.length === right.length &&
    left.every((row, i) =>
      columns.every((column) => sameFor(column, row[column.propertyCode], right[i]?.[column.propertyCode])),
    )
  )
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
    const [was, own, other] = [base[code] ?? null, mine[code] ?? null, theirs[code] ?? null]
    const byMe = !sameFor(field, was, own)
    const byThem = !sameFor(field, was, other)
    if (!byMe && !byThem) continue
    const equal = byMe && byThem && (field.children ? sameRows(field, own, other) : sameFor(field, own, other))
    out.push({
      field,
      base: was,
      mine: own,
      theirs: other,
      by: equal ? 'same' : byMe && byThem ? 'both' : byMe ? 'mine' : 'theirs',
      ...(field.children ? { rows: { mine: rowChanges(field, was, own), theirs: rowChanges(field, was, other) } } : {}),
    })
  }
  return out
}

/** What nobody has to decide: each takes the side that changed it. Where both did, there is no choice yet. */
export function firstChoices(list: MergeField[]): Choices {
  const choices: Choices = {}
  for (const { field, by } of list) if (by === 'mine' || by === 'theirs') choices[field.propertyCode] = by
  return choices
}

export function allOf(list: MergeField[], side: Side): Choices {
  return Object.fromEntries(list.filter(({ by }) => by !== 'same').map(({ field }) => [field.propertyCode, side]))
}

export const undecided = (list: MergeField[], choices: Choices) =>
  list.filter(({ field, by }) => by !== 'same' && !choices[field.propertyCode])

/** The record as it is now with what is taken of mine. */
export function merge(list: MergeField[], choices: Choices, theirs: Values): Values {
  const merged: Values = { ...theirs }
  for (const { field, mine } of list) {
    const code = field.propertyCode
    if (choices[code] === 'mine') merged[code] = field.children ? keptRows(mine, theirs[code]) : mine
  }
  return withoutEmpty(merged)
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
