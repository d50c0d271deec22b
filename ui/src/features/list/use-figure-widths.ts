import { useRef } from 'react'
import type { ColumnPlan, Row } from '@/api/types'
import { propertyUI } from '@/registry/properties'
import { isEmptyValue } from '@/sdk/property'
import { useTextContext } from '@/sdk/system'

const CHARACTER = 8
const PADDING = 28
const AGGREGATE_NAME = 48

/** Room for the longest figure of each column of figures. It grows and never shrinks, so paging does not move columns. */
export function useFigureWidths(
  columns: ColumnPlan[],
  rows: Row[],
  aggregates: Record<string, unknown>,
): Record<string, number> {
  const context = useTextContext()
  const widest = useRef<Record<string, number>>({})
  let grown = false
  for (const column of columns) {
    const property = propertyUI(column.propertyType)
    if (property.says !== 'figure') continue
    const code = column.propertyCode
    const room = (value: unknown) =>
      isEmptyValue(value) ? 0 : property.text(value, column, context).length * CHARACTER + PADDING
    const needed = Math.max(
      ...rows.map((row) => room(row.data[code])),
      room(aggregates[code]) + (column.sumType ? AGGREGATE_NAME : 0),
    )
    if (needed > (widest.current[code] ?? 0)) {
      if (!grown) widest.current = { ...widest.current }
      grown = true
      widest.current[code] = needed
    }
  }
  return widest.current
}
