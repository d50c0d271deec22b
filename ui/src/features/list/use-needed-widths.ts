import { useRef } from 'react'
import type { ColumnPlan, Row } from '@/api/types'
import { localName } from '@/lib/local-name'
import { propertyUI } from '@/registry/properties'
import { isEmptyValue } from '@/sdk/property'
import { useTextContext } from '@/sdk/system'

const PADDING = 28
const DOT = 16
const AGGREGATE_NAME = 52

/** About how wide a text is at 13 px. */
export const textWidth = (text: string) =>
  [...text].reduce((sum, char) => sum + (/[\u2e80-\uffef]/.test(char) ? 13.2 : 7.9), 0)

/** Room that columns need so that no figure and no state is cut. It grows and never shrinks, so paging does not move columns. */
export function useNeededWidths(
  columns: ColumnPlan[],
  rows: Row[],
  aggregates: Record<string, unknown>,
): Record<string, number> {
  const context = useTextContext()
  const widest = useRef<Record<string, number>>({})
  const need = (column: ColumnPlan): number => {
    const property = propertyUI(column.propertyType)
    const code = column.propertyCode
    if (property.says === 'state') {
      return (
        DOT +
        PADDING +
        Math.max(0, ...(column.options ?? []).map((option) => textWidth(localName(option, context.locale))))
      )
    }
    if (property.says !== 'figure') return 0
    const room = (value: unknown) =>
      isEmptyValue(value) ? 0 : textWidth(property.text(value, column, context)) + PADDING
    return Math.max(
      room(aggregates[code]) + (column.sumType ? AGGREGATE_NAME : 0),
      ...rows.map((row) => room(row.data[code])),
    )
  }
  const grown = columns.filter((column) => need(column) > (widest.current[column.propertyCode] ?? 0))
  if (grown.length > 0) {
    widest.current = {
      ...widest.current,
      ...Object.fromEntries(grown.map((column) => [column.propertyCode, Math.ceil(need(column))])),
    }
  }
  return widest.current
}
