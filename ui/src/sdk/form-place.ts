import { createContext, useContext } from 'react'
import type { FieldPlan } from '@/api/types'

/** The form that a widget is in: its choices depend on the form's conditions and on the record. */
export interface FormPlace {
  sheetCode: string
  /** Missing for a new record. */
  objectId?: string
}

export const FormPlaceContext = createContext<FormPlace>({ sheetCode: '' })
export const useFormPlace = () => useContext(FormPlaceContext)

const none: string[] = []

/** The fields that another field's choices depend on, besides the conditions that only the server knows. */
export function choicesDependOn(field: FieldPlan): string[] {
  const { narrowedBy, dependsOn } = (field.settings ?? {}) as { narrowedBy?: unknown; dependsOn?: unknown }
  if (!Array.isArray(narrowedBy) && typeof dependsOn !== 'string') return none
  return [
    ...(Array.isArray(narrowedBy) ? narrowedBy.map(String) : []),
    ...(typeof dependsOn === 'string' ? [dependsOn] : []),
  ]
}

/**
 * The values that a field's choices depend on, as the server takes them; null when it offers the same always.
 * Reads the current state, so call it while rendering.
 */
export function dependsOnValues(
  field: FieldPlan,
  values: () => Record<string, unknown>,
): Record<string, unknown> | null {
  const settings = (field.settings ?? {}) as Record<string, unknown>
  const codes = settings.narrowedBy
  if (!Array.isArray(codes) && settings.fills !== true) return null
  const now = values()
  return Object.fromEntries((Array.isArray(codes) ? codes : []).map((code) => [code, now[String(code)] ?? null]))
}
