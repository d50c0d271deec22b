import { type FormField, localName, resolveProperty, resolveWidget, useLocale, useRowErrors } from '@sluice/sdk'
import { Tooltip } from 'antd'
import { memo, Suspense } from 'react'
import styles from './form.module.css'
import type { SheetRow } from './rows'

interface CellProps {
  id: string
  sheet: string
  column: FormField
  schemaCode: string
  row: SheetRow
  index: number
  setCells: (index: number, values: Record<string, unknown>) => void
  values: () => Record<string, unknown>
  /** What the cell's choices depend on, as one text. */
  depends: string
}

/** One cell of a sub-table. It is drawn again only when its own value, place, error or choices change. */
export const Cell = memo(EditCell, (a, b) => {
  const code = a.column.propertyCode
  return (
    a.row[code] === b.row[code] &&
    a.row.id === b.row.id &&
    a.index === b.index &&
    a.column === b.column &&
    a.setCells === b.setCells &&
    a.depends === b.depends
  )
})

function EditCell({ id, sheet, column, schemaCode, row, index, setCells, values }: CellProps) {
  const locale = useLocale()
  const code = column.propertyCode
  const path = `${sheet}.${code}`
  const error = useRowErrors()(path, { id: row.id, index })
  const value = row[code] ?? null
  const Widget = resolveWidget(column.propertyType)
  if (!Widget || column.readOnly) {
    const text = value === null ? '' : resolveProperty(column.propertyType).text(value, column, { locale, zone: 'UTC' })
    return <span className={styles.read}>{text}</span>
  }
  return (
    <Tooltip title={error}>
      <div className={styles.cell} data-invalid={error ? true : undefined}>
        <label className="visually-hidden" htmlFor={id}>
          {localName(column, locale)}
        </label>
        <Suspense>
          <Widget
            id={id}
            field={{ ...column, propertyCode: path }}
            schemaCode={schemaCode}
            value={value}
            onChange={(next) => setCells(index, { [code]: next })}
            fill={({ [path]: own, ...others }) => setCells(index, { ...others, [code]: own })}
            values={() => ({ ...values(), ...row })}
            invalid={!!error}
            inCell
          />
        </Suspense>
      </div>
    </Tooltip>
  )
}
