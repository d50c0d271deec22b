import { type CellCheck, type FormField, type RowErrors, type TextContext, useText } from '@sluice/sdk'
import { memo, type ReactNode, useMemo } from 'react'
import styles from './grid.module.css'
import { GridCell } from './grid-cell'
import type { SheetRow } from './rows'
import { ROW } from './use-row-window'

interface RowProps {
  index: number
  row: SheetRow
  sheet: string
  columns: FormField[]
  context: TextContext
  check: CellCheck
  errors: RowErrors
  /** Selected columns, both included; -1 for none. */
  from: number
  to: number
  /** The active column; -1 when it is in another row. */
  active: number
  /** What stands in cells besides their values, by column. */
  inside?: Record<number, ReactNode> | undefined
  /** The row is being dragged. */
  dragged: boolean
}

/** A row of the grid, drawn again when it or what is selected in it changes. */
export const GridRow = memo(function GridRow(props: RowProps) {
  const { index, row, sheet, columns, context, check, errors, from, to, active, inside, dragged } = props
  const t = useText()
  const faults = useMemo(
    () =>
      columns.map(
        (column) =>
          errors(`${sheet}.${column.propertyCode}`, { id: row.id, key: row.key, index }) ?? check(column, row),
      ),
    [columns, row, index, sheet, errors, check],
  )
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles.row}
      style={{ top: index * ROW }}
      data-dragged={dragged || undefined}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        className={styles.number}
        data-row={index}
        data-on={from >= 0 || undefined}
        data-faulty={faults.some((fault) => fault !== null) || undefined}
        title={t('sheet.rowHint')}
      >
        {index + 1}
      </div>
      {columns.map((column, c) => (
        <GridCell
          key={column.propertyCode}
          row={index}
          index={c}
          column={column}
          value={row[column.propertyCode] ?? null}
          selected={from >= 0 && c >= from && c <= to}
          active={active === c}
          fault={faults[c] ?? null}
          context={context}
        >
          {inside?.[c]}
        </GridCell>
      ))}
    </div>
  )
})
