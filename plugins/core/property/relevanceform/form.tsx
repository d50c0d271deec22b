import { dependsOnValues, type Entry, EntryPicker, type FormWidgetProps } from '@sluice/sdk'

/** One record of the related model. Choosing one fills in other fields where the definition says so. */
export function FormWidget({ field, value, onChange, values, fill, ...rest }: FormWidgetProps<Entry>) {
  const choose = (chosen: Entry | null) => {
    const { fill: taken, ...entry } = chosen ?? ({} as Entry)
    if (chosen && taken && fill) fill({ [field.propertyCode]: entry, ...taken })
    else onChange(chosen && (entry as Entry))
  }
  return (
    <EntryPicker
      {...rest}
      propertyCode={field.propertyCode}
      dependsOn={dependsOnValues(field, values)}
      value={value ? [value] : []}
      onChange={(entries) => choose(entries[0] ?? null)}
    />
  )
}
