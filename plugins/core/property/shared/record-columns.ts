import { type ColumnPlan, type Locale, localName, resolveProperty, type TextContext, valueText } from '@sluice/sdk'
import type { TableColumnType } from 'antd'

const COLUMNS = 5

/** What the relation shows first, then the first columns of the list; sub-tables do not fit. */
export function shownColumns(columns: ColumnPlan[], first: string | null | undefined): ColumnPlan[] {
  const plain = columns.filter((column) => column.visible && !resolveProperty(column.propertyType).nested)
  const name = plain.find((column) => column.propertyCode === first)
  return [...(name ? [name] : []), ...plain.filter((column) => column !== name)].slice(0, COLUMNS)
}

/** Columns of a list as a table takes them; `valuesOf` are a row's values by property code. */
export const tableColumns = <R>(
  columns: ColumnPlan[],
  locale: Locale,
  context: TextContext,
  valuesOf: (row: R) => Record<string, unknown> | undefined,
): TableColumnType<R>[] =>
  columns.map((column) => ({
    key: column.propertyCode,
    title: localName(column, locale),
    align: resolveProperty(column.propertyType).align ?? 'left',
    ellipsis: true,
    render: (_, row) => valueText(valuesOf(row)?.[column.propertyCode], column, context),
  }))
