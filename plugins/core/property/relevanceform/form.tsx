import type { Entry, FormWidgetProps } from '@sluice/sdk'
import { RelationPicker } from '../shared/relation-picker'

/** One record of the related model. Choosing one fills in other fields where the definition says so. */
export function FormWidget({ value, onChange, fill, ...rest }: FormWidgetProps<Entry>) {
  const choose = (chosen: Entry | null) => {
    const { fill: taken, ...entry } = chosen ?? ({} as Entry)
    if (chosen && taken && fill) fill({ [rest.field.propertyCode]: entry, ...taken })
    else onChange(chosen && (entry as Entry))
  }
  return <RelationPicker {...rest} value={value ? [value] : []} onChange={(entries) => choose(entries[0] ?? null)} />
}
