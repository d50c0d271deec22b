import type { FormWidgetProps } from '@sluice/sdk'
import { Switch } from 'antd'

/** Yes or no. */
export function FormWidget({ id, value, onChange, describedBy, autoFocus }: FormWidgetProps<boolean>) {
  return (
    <Switch
      id={id}
      checked={value === true}
      onChange={(on) => onChange(on)}
      autoFocus={autoFocus ?? false}
      aria-describedby={describedBy}
      style={{ alignSelf: 'start' }}
    />
  )
}
