import type { FieldPlan } from '@/api/types'

/** A type's own option as a text; undefined when the author gave none. */
export function textSetting(field: FieldPlan, key: string): string | undefined {
  const value = (field.settings as Record<string, unknown> | undefined)?.[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A type's own option as a number, whether it travels as number or text. */
export function numberSetting(field: FieldPlan, key: string): number | undefined {
  const value = (field.settings as Record<string, unknown> | undefined)?.[key]
  const n = typeof value === 'string' ? Number(value) : value
  return typeof n === 'number' && Number.isFinite(n) ? n : undefined
}

/** The display format in force: the list's or form's own choice, else the property's. */
export const displayFormatOf = (field: FieldPlan): string | undefined =>
  field.displayFormat || textSetting(field, 'displayFormat')
