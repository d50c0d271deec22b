import type { ColumnPlan, Filter } from '@/api/types'
import type { FilterValue } from '@/sdk/property'

/** What the rows of a sub-table are filtered by, by the codes of its properties. */
export type RowFilters = Record<string, FilterValue>

export const sheetColumns = (sheet: ColumnPlan): ColumnPlan[] =>
  sheet.childColumns ?? ((sheet.children ?? []) as ColumnPlan[])

/** Ranges where a property has them, patterns for texts, else the same value. */
const PREFERRED = ['Between', 'Contains', 'Have', 'Equal']

export const operatorOf = ({ operators = [] }: ColumnPlan): string =>
  PREFERRED.find((operator) => operators.includes(operator)) ?? operators[0] ?? 'Equal'

/** As the call takes them; the server filters. */
export function rowFilters(sheet: ColumnPlan, filters: RowFilters): Filter[] {
  return sheetColumns(sheet).flatMap((column) => {
    const filter = filters[column.propertyCode]
    if (!filter) return []
    return [
      {
        propertyCode: column.propertyCode,
        propertyType: column.propertyType,
        propertyValue: filter.value,
        queryFilterType: filter.operator ?? operatorOf(column),
      },
    ]
  })
}
