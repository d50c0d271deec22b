import { exactSum, type FormField, resolveProperty, type TextContext, useText, valueText } from '@sluice/sdk'
import { memo, useRef } from 'react'
import styles from './grid.module.css'
import type { SheetRow } from './rows'

interface SumProps {
  columns: FormField[]
  codes: string[]
  rows: SheetRow[]
  context: TextContext
}

/** The exact sums of the columns that have one. */
export const SumRow = memo(function SumRow({ columns, codes, rows, context }: SumProps) {
  const t = useText()
  return (
    <div role="row" aria-rowindex={rows.length + 2} className={styles.sums}>
      <div role="rowheader" aria-colindex={1} className={styles.number}>
        {t('form.sum')}
      </div>
      {columns.map((column, index) => (
        <div
          key={column.propertyCode}
          role="gridcell"
          aria-colindex={index + 2}
          className={styles.cell}
          data-align={resolveProperty(column.propertyType).align}
          data-sum={codes.includes(column.propertyCode) ? column.propertyCode : undefined}
        >
          {codes.includes(column.propertyCode) && <Sum column={column} rows={rows} context={context} />}
        </div>
      ))}
    </div>
  )
})

/** The sum of a column, added up when something in that column has changed. */
function useSum(code: string, rows: SheetRow[]): string | null {
  const last = useRef<{ values: unknown[]; sum: string | null }>(null)
  const values = rows.map((row) => row[code])
  const before = last.current
  if (before && before.values.length === values.length && before.values.every((value, i) => value === values[i]))
    return before.sum
  const sum = exactSum(values)
  last.current = { values, sum }
  return sum
}

function Sum({ column, rows, context }: { column: FormField; rows: SheetRow[]; context: TextContext }) {
  const sum = useSum(column.propertyCode, rows)
  return <span className={styles.text}>{valueText(sum, column, context)}</span>
}
