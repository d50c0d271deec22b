import type { FormField } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { propertyUI } from '@/registry/properties'
import { isEmptyValue } from '@/sdk/property'
import { useTextContext } from '@/sdk/system'
import styles from './form.module.css'

/** A value in read mode: text, and not a disabled input. */
export function ReadValue({ field, value }: { field: FormField; value: unknown }) {
  const context = useTextContext()
  const ui = propertyUI(field.propertyType)
  if (isEmptyValue(value)) return <span className={styles.nothing}>—</span>
  if (field.children && Array.isArray(value)) return <ReadRows columns={field.children} rows={value} />
  if (ui.ReadValue) return <ui.ReadValue value={value} field={field} />
  return <span className={styles.text}>{ui.text(value, field, context)}</span>
}

/** The rows of a sub-table, all of them, as a table. */
function ReadRows({ columns, rows }: { columns: FormField[]; rows: Record<string, unknown>[] }) {
  const locale = useLocale()
  const context = useTextContext()
  return (
    <div className={styles.related}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.propertyCode} data-align={propertyUI(column.propertyType).align}>
                {localName(column, locale)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={String(row.id)}>
              {columns.map((column) => {
                const ui = propertyUI(column.propertyType)
                const value = row[column.propertyCode]
                return (
                  <td key={column.propertyCode} data-align={ui.align}>
                    {isEmptyValue(value) ? (
                      ''
                    ) : ui.ReadValue ? (
                      <ui.ReadValue value={value} field={column} />
                    ) : (
                      ui.text(value, column, context)
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
