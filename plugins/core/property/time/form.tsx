import type { FormWidgetProps } from '@sluice/sdk'
import { TimePicker } from 'antd'
import dayjs from 'dayjs'

/** A time of day, "HH:mm:ss" on the wire. */
export function FormWidget({
  id,
  field,
  value,
  onChange,
  onBlur,
  placeholder,
  invalid,
  inCell,
  autoFocus,
}: FormWidgetProps<string>) {
  const format = field.displayFormat === 'HH:mm' ? 'HH:mm' : 'HH:mm:ss'
  return (
    <TimePicker
      id={id}
      value={value ? dayjs(`2000-01-01T${value}`) : null}
      onChange={(next) => onChange(next ? next.format('HH:mm:ss') : null)}
      onBlur={onBlur}
      format={format}
      needConfirm={false}
      placeholder={placeholder}
      status={invalid ? 'error' : ''}
      variant={inCell ? 'borderless' : 'outlined'}
      autoFocus={autoFocus}
      style={{ width: '100%' }}
    />
  )
}
