import { type ComponentType, useState } from 'react'
import type { FieldPlan } from '@/api/types'
import {
  type FormWidgetProps,
  isEmptyValue,
  isUnread,
  type PropertyUI,
  type TextContext,
  type TypeCheck,
} from './property'

type Resolver = (wire: number) => PropertyUI<unknown>
type WidgetResolver = (wire: number) => ComponentType<FormWidgetProps<unknown>> | undefined

let resolver: Resolver | null = null
let widgets: WidgetResolver | null = null
let loaded: WidgetResolver | null = null
let checks: (wire: number) => TypeCheck | undefined = () => undefined

/** The registry announces itself here, so that a property that holds others (a sub-table) can draw them. */
export function setPropertyResolver(
  next: Resolver,
  nextWidgets: WidgetResolver,
  nextLoaded: WidgetResolver,
  nextChecks: typeof checks,
) {
  resolver = next
  widgets = nextWidgets
  loaded = nextLoaded
  checks = nextChecks
}

/** What judges values of a type whose control has been loaded; undefined when JSON Schema says all. */
export const resolveCheck = (wire: number) => checks(wire)

/** The editing control of a type for as long as it is drawn: at once where it has been loaded. */
export function useWidget(wire: number) {
  const [widget] = useState(() => ({ of: loaded?.(wire) }))
  return widget.of
}

/** The editing control of a type; undefined when it has none. */
export function resolveWidget(wire: number) {
  return widgets?.(wire)
}

export function resolveProperty(wire: number): PropertyUI<unknown> {
  if (!resolver) throw new Error('the property registry has not been loaded')
  return resolver(wire)
}

/** What a type's control asks for, where it keeps texts that it cannot read. */
export const asksOf = (field: FieldPlan) => resolver?.(field.propertyType).asks?.(field)

/** Any value in words; empty for empty values. */
export function valueText(value: unknown, field: FieldPlan, context: TextContext): string {
  if (isUnread(value)) {
    const kept = valueText(value.kept, field, context)
    return kept === '' ? value.unread : `${kept}${context.locale === 'zh' ? '；' : '; '}${value.unread}`
  }
  return isEmptyValue(value) ? '' : resolveProperty(field.propertyType).text(value, field, context)
}
