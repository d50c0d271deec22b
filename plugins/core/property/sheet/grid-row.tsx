import { type FormField, type TextContext, useText } from '@sluice/sdk'
import { memo, type ReactNode } from 'react'
import styles from './grid.module.css'
import { GridCell } from './grid-cell'
import type { SheetRow } from './rows'
import { ROW } from './use-row-window'

interface RowProps {
  index: number
  row: SheetRow
  columns: FormField[]
  context: TextContext
  /** What is wrong with its cells, by column. */
  faults: (string | null)[]
  /** Selected columns, both included; -1 for none. */
  from: number
  to: number
  /** The active column; -1 when it is in another row. */
  active: number
  activeId: string
  /** The widgets that stand in cells, by column. */
  inside?: Record<number, ReactNode> | undefined
  /** It is stored and may not be changed. */
  fixed: boolean
  /** The row is being dragged. */
  dragged: boolean
}

/** A row of the grid, drawn again when it or what is selected in it changes. Its number is drawn beside it. */
export const GridRow = memo(function GridRow(props: RowProps) {
  const { index, row, columns, context, faults, from, to, active, activeId, inside, fixed, dragged } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles.row}
      style={{ top: index * ROW }}
      data-dragged={dragged || undefined}
      data-edited={inside ? true : undefined}
    >
      <div role="rowheader" aria-colindex={1}>
        <span className="visually-hidden">{index + 1}</span>
      </div>
      {columns.map((column, c) => (
        <GridCell
          key={column.propertyCode}
          row={index}
          index={c}
          column={column}
          value={row[column.propertyCode] ?? null}
          selected={from >= 0 && c >= from && c <= to}
          active={active === c ? activeId : undefined}
          fault={faults[c] ?? null}
          context={context}
          fixed={fixed}
        >
          {inside?.[c]}
        </GridCell>
      ))}
    </div>
  )
})

interface NumberProps {
  index: number
  on: boolean
  faulty: boolean
  dragged: boolean
}

/**
 * The number of a row, by which it is selected and dragged. All numbers stand in one element that stays at the left edge: as
 * many as rows would each be a layer of its own for the browser, and each row between them another.
 */
export const RowNumber = memo(function RowNumber({ index, on, faulty, dragged }: NumberProps) {
  const t = useText()
  return (
    <div
      className={styles.number}
      style={{ top: index * ROW }}
      data-row={index}
      data-on={on || undefined}
      data-faulty={faulty || undefined}
      data-dragged={dragged || undefined}
      title={t('sheet.rowHint')}
    >
      {index + 1}
    </div>
  )
})
