import type { FormField } from '@/api/types'
import { isNothing, sameValue, type Values } from './values'

type Row = Values & { id?: string; key?: string }

/** A choice that what it is narrowed by has changed under. */
export interface Narrowed {
  field: FormField
  /** As the server names it: "items.part" for a column. */
  path: string
  /** The values that narrow it. */
  form: Values
  /** Of a column: the sub-table and its row. */
  sheet?: string
  row?: string
}

/** The properties whose values narrow what a field offers. */
export function narrowedBy(field: FormField): string[] {
  const codes = (field.settings as { narrowedBy?: unknown } | null | undefined)?.narrowedBy
  return Array.isArray(codes) ? codes.map(String) : []
}

const rowKey = (row: Row) => row.id ?? row.key
const pick = (codes: string[], from: Values): Values =>
  Object.fromEntries(codes.map((code) => [code, from[code] ?? null]))
const differ = (codes: string[], before: Values, after: Values) =>
  codes.some((code) => !sameValue(before[code], after[code]))

/** The chosen values, in a record and in the rows of its sub-tables, that may not be offered any more after a change. */
export function narrowedAnew(fields: FormField[], before: Values, after: Values): Narrowed[] {
  const found: Narrowed[] = []
  for (const field of fields) {
    const code = field.propertyCode
    const codes = field.readOnly ? [] : narrowedBy(field)
    if (!isNothing(after[code]) && differ(codes, before, after))
      found.push({ field, path: code, form: pick(codes, after) })
    const columns = ((field.children ?? []) as FormField[]).filter(
      (column) => !column.readOnly && narrowedBy(column)[0],
    )
    const rows = after[code]
    if (columns.length === 0 || !Array.isArray(rows)) continue
    const olds = new Map((Array.isArray(before[code]) ? (before[code] as Row[]) : []).map((row) => [rowKey(row), row]))
    for (const row of rows as Row[]) {
      const old = olds.get(rowKey(row))
      if (!old || rowKey(row) === undefined) continue
      for (const column of columns) {
        const by = narrowedBy(column)
        const [was, is] = [
          { ...before, ...old },
          { ...after, ...row },
        ]
        if (isNothing(row[column.propertyCode]) || !differ(by, was, is)) continue
        found.push({
          field: column,
          path: `${code}.${column.propertyCode}`,
          form: pick(by, is),
          sheet: code,
          row: rowKey(row) as string,
        })
      }
    }
  }
  return found
}

/** What a choice holds now, and what it is narrowed by. */
export function standing({ field, sheet, row }: Narrowed, values: Values): { value: unknown; form: Values } {
  const own =
    sheet === undefined ? values : { ...values, ...((values[sheet] as Row[]) ?? []).find((one) => rowKey(one) === row) }
  return { value: own[field.propertyCode], form: pick(narrowedBy(field), own) }
}

const idOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? String((value as { id?: unknown }).id) : String(value)

export const idsOf = (value: unknown): string[] => (isNothing(value) ? [] : [value].flat().map(idOf))

/** The values without what is not offered; the same where all of it is. */
export function withoutRefused(values: Values, at: Narrowed, offered: ReadonlySet<string>): Values {
  const { value } = standing(at, values)
  if (idsOf(value).every((id) => offered.has(id))) return values
  const kept = Array.isArray(value) ? value.filter((one) => offered.has(idOf(one))) : []
  const left = kept.length > 0 ? kept : null
  const { sheet, row, field } = at
  if (sheet === undefined) return { ...values, [field.propertyCode]: left }
  const rows = (values[sheet] as Row[]).map((one) =>
    rowKey(one) === row ? { ...one, [field.propertyCode]: left } : one,
  )
  return { ...values, [sheet]: rows }
}
