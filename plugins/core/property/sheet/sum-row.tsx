import { exactSum, type FormField, resolveProperty, type TextContext, useText, valueText } from '@sluice/sdk'
import { memo } from 'react'
import styles from './grid.module.css'
import type { SheetRow } from './rows'

interface SumProps {
  columns: FormField[]
  codes: string[]
  rows: SheetRow[]
  context: TextContext
}

/** The exact sums of the columns that have one. */
export function SumRow({ columns, codes, rows, context }: SumProps) {
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
}

const Sum = memo(function Sum({
  column,
  rows,
  context,
}: {
  column: FormField
  rows: SheetRow[]
  context: TextContext
}) {
  const sum = exactSum(rows.map((row) => row[column.propertyCode]))
  return <span className={styles.text}>{valueText(sum, column, context)}</span>
})
