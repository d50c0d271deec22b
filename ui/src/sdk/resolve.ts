import type { FieldPlan } from '@/api/types'
import { isEmptyValue, type PropertyUI, type TextContext } from './property'

type Resolver = (wire: number) => PropertyUI<unknown>

let resolver: Resolver | null = null

/** The registry announces itself here, so that a property that holds others (a sub-table) can draw them. */
export function setPropertyResolver(next: Resolver) {
  resolver = next
}

export function resolveProperty(wire: number): PropertyUI<unknown> {
  if (!resolver) throw new Error('the property registry has not been loaded')
  return resolver(wire)
}

/** Any value in words; empty for empty values. */
export function valueText(value: unknown, field: FieldPlan, context: TextContext): string {
  return isEmptyValue(value) ? '' : resolveProperty(field.propertyType).text(value, field, context)
}
