import { dependsOnValues, type Entry, EntryPicker, type FormWidgetProps } from '@sluice/sdk'

/** Several records of the related model. */
export function FormWidget({ field, value, onChange, values, ...rest }: FormWidgetProps<Entry[]>) {
  return (
    <EntryPicker
      {...rest}
      multiple
      propertyCode={field.propertyCode}
      dependsOn={dependsOnValues(field, values)}
      value={value ?? []}
      onChange={(entries) => onChange(entries.length === 0 ? null : entries)}
    />
  )
}
