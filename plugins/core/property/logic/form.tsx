import type { FormWidgetProps } from '@sluice/sdk'
import { Switch } from 'antd'
import styles from './logic.module.css'

/** Yes or no. */
export function FormWidget({ id, value, onChange, describedBy, autoFocus }: FormWidgetProps<boolean>) {
  return (
    <span className={styles.control}>
      <Switch
        id={id}
        checked={value === true}
        onChange={(on) => onChange(on)}
        autoFocus={autoFocus ?? false}
        aria-describedby={describedBy}
      />
    </span>
  )
}
