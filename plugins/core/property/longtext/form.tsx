import { type FormWidgetProps, numberSetting } from '@sluice/sdk'
import { Input } from 'antd'

/** Several lines; the box grows with its text and shows how much room is left when little is. */
export function FormWidget({
  id,
  field,
  value,
  onChange,
  onBlur,
  placeholder,
  invalid,
  describedBy,
  autoFocus,
  inCell,
}: FormWidgetProps<string>) {
  const limit = numberSetting(field, 'maxLength') ?? 2000
  const rows = numberSetting(field, 'rows') ?? 3
  const near = (value?.length ?? 0) > limit * 0.8
  return (
    <Input.TextArea
      id={id}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
      onBlur={onBlur}
      autoSize={inCell ? { minRows: 1, maxRows: 4 } : { minRows: rows, maxRows: Math.max(rows, 12) }}
      maxLength={limit}
      showCount={near}
      placeholder={placeholder}
      status={invalid ? 'error' : ''}
      variant={inCell ? 'borderless' : 'outlined'}
      autoFocus={autoFocus}
      aria-describedby={describedBy}
    />
  )
}
