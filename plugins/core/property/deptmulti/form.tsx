import type { Entry, FormWidgetProps } from '@sluice/sdk'
import { PartyPicker } from '../shared/party-picker'

/** Several departments. */
export function FormWidget({ value, onChange, ...rest }: FormWidgetProps<Entry[]>) {
  return (
    <PartyPicker
      {...rest}
      multiple
      value={value ?? []}
      onChange={(entries) => onChange(entries.length === 0 ? null : entries)}
    />
  )
}
