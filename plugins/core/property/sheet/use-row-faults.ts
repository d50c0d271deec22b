import { type FormField, useCellCheck, useRowErrors } from '@sluice/sdk'
import { useMemo } from 'react'
import type { SheetRow } from './rows'

export interface RowFaults {
  /** A sentence or nothing, by column. */
  cells: (string | null)[]
  any: boolean
}

/** What is wrong with the cells of a row, worked out once for each state of it. */
export function useRowFaults(sheet: string, columns: FormField[]) {
  const check = useCellCheck()
  const errors = useRowErrors()
  return useMemo(() => {
    const known = new WeakMap<SheetRow, RowFaults & { index: number }>()
    return (row: SheetRow, index: number): RowFaults => {
      const before = known.get(row)
      if (before?.index === index) return before
      const cells = columns.map(
        (column) =>
          errors(`${sheet}.${column.propertyCode}`, { id: row.id, key: row.key, index }) ?? check(column, row),
      )
      const found = { cells, any: cells.some((fault) => fault !== null), index }
      known.set(row, found)
      return found
    }
  }, [sheet, columns, check, errors])
}
