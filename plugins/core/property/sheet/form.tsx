import {
  dependsOnValues,
  exactSum,
  type FormField,
  type FormWidgetProps,
  Icon,
  localName,
  numberSetting,
  resolveProperty,
  useLocale,
  useText,
} from '@sluice/sdk'
import { Button } from 'antd'
import { type KeyboardEvent, useCallback, useRef } from 'react'
import { Cell } from './cell'
import styles from './form.module.css'
import { RowTools } from './row-tools'
import { keyOf, moveRow, newKey, type SheetRow } from './rows'

/** Whether a list or calendar of a cell is open, which then owns the Enter key. */
const popupOpen = () =>
  document.querySelector(
    '.ant-select-dropdown:not(.ant-select-dropdown-hidden), .ant-picker-dropdown:not(.ant-picker-dropdown-hidden)',
  ) !== null

/** The rows of a sub-table, filled like a spreadsheet: Enter goes down and adds a row at the end. */
export function FormWidget({ id, field, schemaCode, value, onChange, values }: FormWidgetProps<SheetRow[]>) {
  const t = useText()
  const locale = useLocale()
  const body = useRef<HTMLTableSectionElement>(null)
  const rows = value ?? []
  const latest = useRef(rows)
  latest.current = rows
  const columns = (field.children ?? []) as FormField[]
  const full = rows.length >= (numberSetting(field, 'maxRows') ?? 500)
  const sums = new Set(field.sumRow ?? [])

  const put = useCallback(
    (next: SheetRow[]) => {
      latest.current = next
      onChange(next.length === 0 ? null : next)
    },
    [onChange],
  )
  // Columns that cannot be written are not filled in by a choice either.
  const writable = useRef(new Set<string>())
  writable.current = new Set(columns.filter((column) => !column.readOnly).map((column) => column.propertyCode))
  const setCells = useCallback(
    (index: number, values: Record<string, unknown>) => {
      const cells = Object.fromEntries(Object.entries(values).filter(([code]) => writable.current.has(code)))
      put(latest.current.map((row, i) => (i === index ? { ...row, ...cells } : row)))
    },
    [put],
  )
  const focusCell = (row: number, column: number) =>
    requestAnimationFrame(() =>
      body.current?.rows[row]?.cells[column + 1]
        ?.querySelector<HTMLElement>('input, textarea, button, [tabindex]')
        ?.focus(),
    )
  const add = () => {
    put([...latest.current, { key: newKey() }])
    focusCell(latest.current.length - 1, 0)
  }
  const onKey = (event: KeyboardEvent, row: number, column: number) => {
    const own = (event.target as HTMLElement).closest('textarea, button, a, [role="dialog"]')
    if (event.key !== 'Enter' || event.shiftKey || own || event.nativeEvent.isComposing || popupOpen()) return
    event.preventDefault()
    if (row < rows.length - 1) focusCell(row + 1, column)
    else if (!full) add()
  }
  const copy = (row: SheetRow, index: number) => {
    const { id: _, ...values } = row
    put([...rows.slice(0, index + 1), { ...values, key: newKey() }, ...rows.slice(index + 1)])
  }

  return (
    <div className={styles.sheet} id={id}>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th className={styles.number}>{t('form.rowNumber')}</th>
              {columns.map((column) => (
                <th key={column.propertyCode} data-align={resolveProperty(column.propertyType).align} scope="col">
                  {column.required && <span className={styles.mark}>*</span>}
                  {localName(column, locale)}
                </th>
              ))}
              <th className={styles.tools} aria-label={t('form.rowActions')} />
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.map((row, index) => (
              <tr key={keyOf(row, index)}>
                <td className={styles.number}>{index + 1}</td>
                {columns.map((column, c) => (
                  <td
                    key={column.propertyCode}
                    data-align={resolveProperty(column.propertyType).align}
                    onKeyDown={(event) => onKey(event, index, c)}
                  >
                    <Cell
                      id={`${id}-${index}-${c}`}
                      sheet={field.propertyCode}
                      column={column}
                      schemaCode={schemaCode}
                      row={row}
                      index={index}
                      setCells={setCells}
                      values={values}
                      depends={JSON.stringify(dependsOnValues(column, () => ({ ...values(), ...row })))}
                    />
                  </td>
                ))}
                <td className={styles.tools}>
                  <RowTools
                    first={index === 0}
                    last={index === rows.length - 1}
                    full={full}
                    onMove={(by) => put(moveRow(rows, index, index + by))}
                    onCopy={() => copy(row, index)}
                    onRemove={() => put(rows.filter((_, i) => i !== index))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
          {sums.size > 0 && rows.length > 0 && (
            <tfoot>
              <tr>
                <td className={styles.number}>{t('form.sum')}</td>
                {columns.map((column) => (
                  <td key={column.propertyCode} data-align={resolveProperty(column.propertyType).align}>
                    {sums.has(column.propertyCode) && <Total column={column} rows={rows} />}
                  </td>
                ))}
                <td />
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      <Button type="dashed" icon={<Icon name="plus" />} onClick={add} disabled={full} className={styles.add ?? ''}>
        {t('form.addRow')}
      </Button>
    </div>
  )
}

function Total({ column, rows }: { column: FormField; rows: SheetRow[] }) {
  const locale = useLocale()
  const sum = exactSum(rows.map((row) => row[column.propertyCode]))
  return sum === null ? null : resolveProperty(column.propertyType).text(sum, column, { locale, zone: 'UTC' })
}
