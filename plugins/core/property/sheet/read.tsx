import {
  type FormField,
  localName,
  type ReadProps,
  resolveProperty,
  useLocale,
  useText,
  useTextContext,
} from '@sluice/sdk'
import { memo, useRef } from 'react'
import styles from './grid.module.css'
import { useTemplate } from './grid-layout'
import { isNothing, keyOf, type SheetRow } from './rows'
import { SumRow } from './sum-row'
import { ROW, useRowWindow } from './use-row-window'

/** The rows of a record to read: the looks of the grid, and the cells as lists draw them. */
export function ReadRows({ value, field }: ReadProps<SheetRow[]>) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const scroll = useRef<HTMLDivElement>(null)
  const columns = (field.children ?? []) as FormField[]
  const sums = (field as FormField).sumRow ?? []
  const template = useTemplate(columns, value, sums, context)
  const { first, last, onScroll } = useRowWindow(scroll, value.length)
  const shown = value.slice(Math.max(0, first), last + 1)
  return (
    <div className={styles.sheet} style={template}>
      <div
        ref={scroll}
        role="table"
        aria-label={localName(field, locale)}
        aria-rowcount={value.length + 1}
        aria-colcount={columns.length + 1}
        className={styles.scroll}
        data-read
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
        tabIndex={0}
        onScroll={onScroll}
      >
        <div role="row" aria-rowindex={1} className={styles.head}>
          <div role="columnheader" aria-colindex={1} className={styles.number}>
            {t('form.rowNumber')}
          </div>
          {columns.map((column, index) => (
            <div
              key={column.propertyCode}
              role="columnheader"
              aria-colindex={index + 2}
              className={styles.title}
              data-align={resolveProperty(column.propertyType).align}
              title={localName(column, locale)}
            >
              {localName(column, locale)}
            </div>
          ))}
        </div>
        <div role="rowgroup" className={styles.body} style={{ height: value.length * ROW }}>
          {shown.map((row, i) => {
            const index = Math.max(0, first) + i
            return <ReadRow key={keyOf(row, index)} row={row} index={index} columns={columns} />
          })}
        </div>
        {sums.length > 0 && <SumRow columns={columns} codes={sums} rows={value} context={context} />}
      </div>
    </div>
  )
}

const ReadRow = memo(function ReadRow({ row, index, columns }: { row: SheetRow; index: number; columns: FormField[] }) {
  return (
    <div role="row" aria-rowindex={index + 2} className={styles.row} style={{ top: index * ROW }}>
      <div role="rowheader" aria-colindex={1} className={styles.number}>
        {index + 1}
      </div>
      {columns.map((column, c) => (
        <ReadCell key={column.propertyCode} value={row[column.propertyCode]} column={column} index={c} />
      ))}
    </div>
  )
})

function ReadCell({ value, column, index }: { value: unknown; column: FormField; index: number }) {
  const context = useTextContext()
  const ui = resolveProperty(column.propertyType)
  const text = isNothing(value) ? '' : ui.text(value, column, context)
  return (
    <div role="cell" aria-colindex={index + 2} className={styles.cell} data-align={ui.align} title={text || undefined}>
      {text !== '' && <span className={styles.shown}>{ui.Cell ? <ui.Cell value={value} field={column} /> : text}</span>}
    </div>
  )
}
