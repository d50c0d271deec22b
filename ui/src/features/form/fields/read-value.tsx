import type { FormField } from '@/api/types'
import { propertyUI } from '@/registry/properties'
import { isEmptyValue } from '@/sdk/property'
import { useTextContext } from '@/sdk/system'
import styles from '../form.module.css'

/** A value in read mode: text, and not a disabled input. */
export function ReadValue({ field, value }: { field: FormField; value: unknown }) {
  const context = useTextContext()
  const ui = propertyUI(field.propertyType)
  if (isEmptyValue(value)) return <span className={styles.nothing}>—</span>
  if (ui.ReadValue) return <ui.ReadValue value={value} field={field} />
  return <span className={styles.text}>{ui.text(value, field, context)}</span>
}
