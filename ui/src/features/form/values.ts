import type { FormField } from '@/api/types'

export type Values = Record<string, unknown>

/** Without the empty ones: rjsf and JSON Schema know a missing key as "empty". */
export function withoutEmpty(data: Values): Values {
  return Object.fromEntries(
    Object.entries(data).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  )
}

/** Whether two wire values are the same, whatever the order of their keys. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b || (isNothing(a) && isNothing(b))) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = new Set([...Object.keys(a), ...Object.keys(b)].filter((key) => key !== 'key'))
  return [...keys].every((key) => sameValue((a as Values)[key], (b as Values)[key]))
}

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** What a save sends: the fields that differ from the base and may be written, rows without their screen keys. */
export function changesOf(base: Values, values: Values, fields: FormField[]): Values {
  const changed: Values = {}
  for (const field of fields) {
    const code = field.propertyCode
    if (field.readOnly || sameValue(base[code], values[code])) continue
    changed[code] = plainRows(values[code] ?? null)
  }
  return changed
}

function plainRows(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map((row) => {
    if (typeof row !== 'object' || row === null || !('key' in row)) return row
    const { key: _, ...rest } = row as Values
    return rest
  })
}
