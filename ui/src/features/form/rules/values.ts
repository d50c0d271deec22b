import type { FormField } from '@/api/types'
import { trimmed } from '@/lib/trimmed'

export type Values = Record<string, unknown>

/** Without the empty ones: rjsf and JSON Schema know a missing key as "empty". */
export function withoutEmpty(data: Values): Values {
  return Object.fromEntries(
    Object.entries(data).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  )
}

/** The values with the rows of sub-tables as new ones. */
export function withoutRowIds(values: Values, fields: FormField[]): Values {
  const out = { ...values }
  for (const { propertyCode: code, children } of fields) {
    const rows = values[code]
    if (children?.length && Array.isArray(rows)) out[code] = rows.map(({ id: _, ...row }: Values) => row)
  }
  return out
}

/** Whether two wire values are the same, whatever the order of their keys. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b || (isNothing(a) && isNothing(b))) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = new Set([...Object.keys(a), ...Object.keys(b)].filter((key) => key !== 'key'))
  return [...keys].every((key) => sameValue((a as Values)[key], (b as Values)[key]))
}

/** White space alone is empty too, as the server reads it. */
export const isNothing = (value: unknown) =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && trimmed(value) === '') ||
  (Array.isArray(value) && value.length === 0)

/** What a save sends: the fields that differ from the base and may be written, rows without their screen keys. */
export function changesOf(base: Values, values: Values, fields: FormField[]): Values {
  const changed: Values = {}
  for (const field of fields) {
    const code = field.propertyCode
    if (field.readOnly || base[code] === values[code]) continue
    const [before, now] = [sent(field, base[code]), sent(field, values[code])]
    if (!sameValue(before, now)) changed[code] = now ?? null
  }
  return changed
}

/** A value as a save sends it: rows with what may be written in them. */
function sent(field: FormField, value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const kept = rowsOf(field)
  return filledRows(field, value).map((row) => (typeof row === 'object' && row !== null ? kept(row as Values) : row))
}

/**
 * Whether a row was added and then left as it was: empty, or with its defaults where it cannot be saved so. One that can be
 * is a row that people see, and mean.
 */
export function isBlankRow(field: FormField, row: Values): boolean {
  const columns = ((field.children ?? []) as FormField[]).filter((column) => !column.readOnly)
  if (row.id !== undefined) return false
  if (columns.every(({ propertyCode }) => isNothing(row[propertyCode]))) return true
  return (
    columns.some((column) => column.required && isNothing(row[column.propertyCode])) &&
    columns.every(({ propertyCode, defaultValue }) => {
      const value = row[propertyCode]
      return isNothing(value) || (!isNothing(defaultValue) && sameValue(value, defaultValue))
    })
  )
}

/** The rows without empty new ones at the end: a key adds those, and nobody means to save them. */
export function filledRows<R>(field: FormField, rows: R[]): R[] {
  if (!field.children?.length) return rows
  let end = rows.length
  while (end > 0 && isBlankRow(field, rows[end - 1] as Values)) end--
  return end === rows.length ? rows : rows.slice(0, end)
}

const writers = new WeakMap<FormField, (row: Values) => Values>()

/** Rows that did not change are made ready once. */
function rowsOf(field: FormField): (row: Values) => Values {
  const found = writers.get(field)
  if (found) return found
  const dropped = new Set((field.children ?? []).flatMap((column) => (column.readOnly ? [column.propertyCode] : [])))
  dropped.add('key')
  const known = new WeakMap<Values, Values>()
  const made = (row: Values) => {
    const before = known.get(row)
    if (before) return before
    const left = Object.keys(row).some((key) => dropped.has(key))
    const next = left ? Object.fromEntries(Object.entries(row).filter(([key]) => !dropped.has(key))) : row
    known.set(row, next)
    return next
  }
  writers.set(field, made)
  return made
}
