import type { ColumnPlan } from '@/api/types'
import { propertyUI } from '@/registry/properties'
import { isEmptyValue, type TextContext } from '@/sdk/property'

/** What the footer says of a column; empty where it says nothing. */
export function aggregateWords(column: ColumnPlan, value: unknown, context: TextContext): string {
  if (!column.sumType || isEmptyValue(value)) return ''
  return column.sumType === 'count' ? String(value) : propertyUI(column.propertyType).text(value, column, context)
}
