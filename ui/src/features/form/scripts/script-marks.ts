import type { FormField, FormLoad } from '@/api/types'
import { scriptError } from '@/sdk/script/faults'
import { isPlainObject } from '@/sdk/script/protocol'
import { faultsOf } from '../fields/validator'
import { sameValue } from '../rules/values'

/** What a form's script says of fields, besides what the definition says: it narrows, and never widens. */
export interface Marks {
  hidden: ReadonlySet<string>
  required: ReadonlySet<string>
  readonly: ReadonlySet<string>
  /** What onValidate found, by field. */
  faults: Readonly<Record<string, string>>
  /** The form's values that it looked at. */
  looked: Readonly<Record<string, unknown>>
}

export const noMarks: Marks = { hidden: new Set(), required: new Set(), readonly: new Set(), faults: {}, looked: {} }

/** The marks without the faults of fields that have changed since: they are asked for again at the next save. */
export function stillFaulty(marks: Marks, values: Record<string, unknown>): Marks {
  const codes = Object.keys(marks.faults)
  const left = codes.filter((code) => sameValue(marks.looked[code], values[code]))
  if (left.length === codes.length) return marks
  return { ...marks, faults: Object.fromEntries(left.map((code) => [code, marks.faults[code] ?? ''])) }
}

/** The marks with a field added to one of their sets, or taken out of it. */
export function marked(marks: Marks, set: 'hidden' | 'required' | 'readonly', code: string, on: boolean): Marks {
  if (marks[set].has(code) === on) return marks
  const next = new Set(marks[set])
  if (on) next.add(code)
  else next.delete(code)
  return { ...marks, [set]: next }
}

/** The form with the fields that its script keeps from being written. */
export function withReadonly(load: FormLoad, readonly: ReadonlySet<string>): FormLoad {
  if (readonly.size === 0) return load
  const fields = load.form.fields.map((field) =>
    readonly.has(field.propertyCode) ? { ...field, readOnly: true } : field,
  )
  return { ...load, form: { ...load.form, fields } }
}

const refuse = (what: string): never => {
  throw scriptError('execution', what)
}

/** A value that a script gives to a field, in the shape that its control takes; limits are the form's own checks. */
export function scriptValue(load: FormLoad, field: FormField, value: unknown): unknown {
  const code = field.propertyCode
  if (value === null || value === undefined || value === '') return undefined
  const schema = (load.form.schema as { properties?: Record<string, { type?: unknown }> }).properties?.[code] ?? {}
  const given = typeof value === 'number' && schema.type === 'string' ? String(value) : value
  const faults = faultsOf({ type: 'object', properties: { [code]: schema } }, { [code]: given })
  if (faults.some(({ keyword }) => keyword === 'type' || keyword === 'pattern' || keyword === 'required')) refuse(code)
  return field.children ? scriptRows(field, given) : given
}

/** Rows of a sub-table, with the columns that the form has. */
export function scriptRows(field: FormField, rows: unknown): Record<string, unknown>[] {
  if (!Array.isArray(rows)) return refuse(field.propertyCode)
  return rows.map((row) => scriptRow(field, row))
}

export function scriptRow(field: FormField, row: unknown): Record<string, unknown> {
  const at = field.propertyCode
  if (!isPlainObject(row)) return refuse(at)
  const out: Record<string, unknown> = {}
  for (const [code, value] of Object.entries(row)) {
    const column = field.children?.find((one) => one.propertyCode === code)
    if (code === 'id' && typeof value === 'string') out.id = value
    else if (!column) refuse(`${at}.${code}`)
    else if (isWire(value)) out[code] = typeof value === 'number' ? String(value) : value
    else refuse(`${at}.${code}`)
  }
  return out
}

/** Plain values, entries, and lists of both. */
const isWire = (value: unknown): boolean =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every(isWire)) ||
  (isPlainObject(value) && ('id' in value || 'code' in value))
