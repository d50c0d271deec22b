import { type Entry, EntryPicker, type FormWidgetProps } from '@sluice/sdk'

/** Several people. */
export function FormWidget({ field, value, onChange, ...rest }: FormWidgetProps<Entry[]>) {
  return (
    <EntryPicker
      {...rest}
      multiple
      propertyCode={field.propertyCode}
      value={value ?? []}
      onChange={(entries) => onChange(entries.length === 0 ? null : entries)}
    />
  )
}
