import { useMemo, useRef } from 'react'
import type { ColumnPlan, Row } from '@/api/types'
import { localName } from '@/lib/local-name'
import { propertyUI } from '@/registry/properties'
import { isEmptyValue, type TextContext } from '@/sdk/property'
import { useTextContext } from '@/sdk/system'
import type { ShownRow } from '../data/use-tree-rows'

const PADDING = 28
const DOT = 16
const AGGREGATE_NAME = 52
/** Two actions stand over the end of a record's name while it is pointed at. */
const LINK_ACTIONS = 72
const INDENT = 20
/** The column of names takes no more by itself, however long they are. */
const LINK_WIDTH = 244

/** About how wide a text is at 13 px. */
export const textWidth = (text: string) =>
  [...text].reduce((sum, char) => sum + (/[\u2e80-\uffef]/.test(char) ? 13.2 : 7.9), 0)

/**
 * Room that columns need so that no figure and no state is cut, and what the names of records ask for. It grows and never
 * shrinks, so paging does not move columns.
 */
export function useNeededWidths(
  columns: ColumnPlan[],
  rows: ShownRow[],
  aggregates: Record<string, unknown>,
  link: ColumnPlan | undefined,
): Record<string, number> {
  const context = useTextContext()
  const widest = useRef<Record<string, number>>({})
  return useMemo(() => {
    const needs = columns.map(
      (column) =>
        [
          column.propertyCode,
          column === link ? nameRoom(column, rows, context) : need(column, rows, aggregates, context),
        ] as const,
    )
    const grown = needs.filter(([code, width]) => width > (widest.current[code] ?? 0))
    if (grown.length > 0) widest.current = { ...widest.current, ...Object.fromEntries(grown) }
    return widest.current
  }, [columns, rows, aggregates, context, link])
}

function nameRoom(column: ColumnPlan, rows: ShownRow[], context: TextContext): number {
  const { text } = propertyUI(column.propertyType)
  const names = rows.map((row) => {
    const value = row.data[column.propertyCode]
    const branch = row.branch === null && row.depth === 0 ? 0 : (row.depth + 1) * INDENT
    return branch + (isEmptyValue(value) ? 0 : textWidth(text(value, column, context)))
  })
  return Math.min(LINK_WIDTH, Math.ceil(Math.max(0, ...names) + PADDING + LINK_ACTIONS))
}

function need(column: ColumnPlan, rows: Row[], aggregates: Record<string, unknown>, context: TextContext): number {
  const property = propertyUI(column.propertyType)
  const code = column.propertyCode
  if (property.says === 'state') {
    const labels = (column.options ?? []).map((option) => textWidth(localName(option, context.locale)))
    return Math.ceil(DOT + PADDING + Math.max(0, ...labels))
  }
  if (property.says !== 'figure') return 0
  const room = (value: unknown) =>
    isEmptyValue(value) ? 0 : textWidth(property.text(value, column, context)) + PADDING
  const footer = room(aggregates[code]) + (column.sumType ? AGGREGATE_NAME : 0)
  return Math.ceil(Math.max(footer, ...rows.map((row) => room(row.data[code]))))
}
