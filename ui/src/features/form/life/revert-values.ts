import type { FormField } from '@/api/types'
import { sameValue, type Values } from '../rules/values'

type Row = Values & { id?: string }

/**
 * The values with which a form becomes an earlier version: of the fields that may be written. Rows are the same by their ids;
 * rows that are gone come back as new ones. What a row's hidden or computed cells held is the server's matter.
 */
export function revertedValues(fields: FormField[], now: Values, earlier: Values): Values {
  const out: Values = { ...now }
  for (const field of fields) {
    const code = field.propertyCode
    if (field.readOnly) continue
    const then = earlier[code] ?? null
    const next = field.children && Array.isArray(then) ? rowsOf(field.children, asRows(now[code]), then as Row[]) : then
    if (sameValue(now[code], next)) continue
    if (next === null || next === '') delete out[code]
    else out[code] = next
  }
  return out
}

const asRows = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : [])

function rowsOf(columns: FormField[], now: Row[], then: Row[]): Row[] {
  const standing = new Map(now.map((row) => [row.id, row]))
  const writable = columns.filter((column) => !column.readOnly).map((column) => column.propertyCode)
  return then.map((row) => {
    const old = row.id === undefined ? undefined : standing.get(row.id)
    const cells = Object.fromEntries(writable.map((code) => [code, row[code] ?? null]))
    if (old) return { ...old, ...cells }
    return Object.fromEntries(Object.entries(cells).filter(([, value]) => value !== null))
  })
}
