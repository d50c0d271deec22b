import type { Entry, FormWidgetProps } from '@sluice/sdk'
import { RelationPicker } from '../shared/relation-picker'

/** Several records of the related model. */
export function FormWidget({ value, onChange, ...rest }: FormWidgetProps<Entry[]>) {
  return (
    <RelationPicker
      {...rest}
      multiple
      value={value ?? []}
      onChange={(entries) => onChange(entries.length === 0 ? null : entries)}
    />
  )
}
