import type { TFunction } from 'i18next'
import type { ColumnPlan } from '@/api/types'
import { type Locale, localName } from '@/lib/local-name'
import { inSentence } from '@/lib/noun'
import { propertyUI } from '@/registry/properties'
import { isEmptyValue, type TextContext } from '@/sdk/property'

/** What the footer says of a column; empty where it says nothing. */
export function aggregateWords(column: ColumnPlan, value: unknown, context: TextContext): string {
  if (!column.sumType || isEmptyValue(value)) return ''
  return column.sumType === 'count' ? String(value) : propertyUI(column.propertyType).text(value, column, context)
}

/** What a figure is called where it does not stand below its column. */
export const aggregateName = (column: ColumnPlan, t: TFunction, locale: Locale) =>
  column.sumType ? t(`list.of.${column.sumType}`, { name: inSentence(localName(column, locale)) }) : ''
