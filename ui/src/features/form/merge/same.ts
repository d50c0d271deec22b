import type { FormField } from '@/api/types'
import { canonical } from '@/lib/decimal'
import { sameValue } from '../rules/values'

type Row = Record<string, unknown>
const number = 2

/** Whether two values of a plain field say the same: entries by their id, numbers by their worth. */
export function sameFor(field: FormField, a: unknown, b: unknown): boolean {
  if (field.propertyType === number && typeof a === 'string' && typeof b === 'string')
    return (canonical(a) ?? a) === (canonical(b) ?? b)
  return sameValue(identity(a), identity(b))
}

/** People, records, options and places are who they are, whatever they are called today. */
function identity(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(identity)
  if (typeof value !== 'object' || value === null) return value
  const { id, type, code, detail } = value as Row
  if (typeof id === 'string') return { id, type }
  if ('code' in value && 'detail' in value) return { code: code ?? null, detail: detail ?? null }
  return value
}
