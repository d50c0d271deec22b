import type { Entry, FormWidgetProps } from '@sluice/sdk'
import { PartyPicker } from '../shared/party-picker'

/** One person. */
export function FormWidget({ value, onChange, ...rest }: FormWidgetProps<Entry>) {
  return <PartyPicker {...rest} value={value ? [value] : []} onChange={(entries) => onChange(entries[0] ?? null)} />
}
