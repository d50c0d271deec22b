import { type Entry, EntryPicker, type FormWidgetProps } from '@sluice/sdk'

/** One person. */
export function FormWidget({ field, value, onChange, ...rest }: FormWidgetProps<Entry>) {
  return (
    <EntryPicker
      {...rest}
      propertyCode={field.propertyCode}
      value={value ? [value] : []}
      onChange={(entries) => onChange(entries[0] ?? null)}
    />
  )
}
