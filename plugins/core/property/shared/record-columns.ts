import { type ColumnPlan, resolveProperty } from '@sluice/sdk'

const COLUMNS = 5

/** What the relation shows first, then the first columns of the list; sub-tables do not fit. */
export function shownColumns(columns: ColumnPlan[], first: string | null | undefined): ColumnPlan[] {
  const plain = columns.filter((column) => column.visible && !resolveProperty(column.propertyType).nested)
  const name = plain.find((column) => column.propertyCode === first)
  return [...(name ? [name] : []), ...plain.filter((column) => column !== name)].slice(0, COLUMNS)
}
