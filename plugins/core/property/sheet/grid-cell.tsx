import { type FormField, isUnread, resolveProperty, type TextContext, valueText } from '@sluice/sdk'
import { memo, type ReactNode } from 'react'
import { wrongText } from './clipboard'
import styles from './grid.module.css'
import { isNothing } from './rows'

interface CellProps {
  row: number
  index: number
  column: FormField
  value: unknown
  selected: boolean
  /** Its id while it is the active one. */
  active: string | undefined
  fault: string | null
  context: TextContext
  /** The row may not be changed. */
  fixed?: boolean
  /** What is in the cell besides its value: its widget. */
  children?: ReactNode
}

/** Counts what was drawn, for the test that says how little a keystroke draws. */
export const drawn = { cells: 0, menus: 0 }

/** A cell rendered as plain text, without a widget. */
export const GridCell = memo(function GridCell(props: CellProps) {
  const { row, index, column, value, selected, active, fault, context, fixed = false, children } = props
  drawn.cells++
  const ui = resolveProperty(column.propertyType)
  const unread = isUnread(value)
  const wrong = fault !== null && !column.readOnly && !isNothing(value)
  const light = ui.cellInEdit && ui.Cell && !unread && !wrong && !isNothing(value)
  // Pointed at, it is told whole: a figure that is cut is another figure.
  const text = wrong ? wrongText(value, column, context) : valueText(value, column, context)
  return (
    <div
      id={active}
      role="gridcell"
      aria-colindex={index + 2}
      aria-selected={selected}
      aria-readonly={column.readOnly || fixed || undefined}
      aria-invalid={fault !== null || undefined}
      className={styles.cell}
      data-at={`${row}:${index}`}
      data-align={ui.align}
      data-active={active !== undefined || undefined}
      data-selected={selected || undefined}
      data-unread={unread || undefined}
      title={fault ?? (text || undefined)}
    >
      {light && ui.Cell ? (
        <span className={styles.text} inert>
          <ui.Cell value={value} field={column} />
        </span>
      ) : (
        <span className={styles.text}>{text}</span>
      )}
      {children}
    </div>
  )
})
