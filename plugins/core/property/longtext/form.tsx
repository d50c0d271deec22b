import { type FormWidgetProps, numberSetting, trimmed } from '@sluice/sdk'
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
  const max = numberSetting(field, 'maxLength') ?? 2000
  const rows = numberSetting(field, 'rows') ?? 3
  const length = [...(value ?? '')].length
  return (
    <Input.TextArea
      id={id}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
      onBlur={() => {
        if (value && trimmed(value) === '') onChange(null)
        onBlur?.()
      }}
      autoSize={inCell ? { minRows: 1, maxRows: 4 } : { minRows: rows, maxRows: Math.max(rows, 12) }}
      count={{ max, show: length > max * 0.8, strategy: (text) => [...text].length }}
      placeholder={placeholder}
      status={invalid || length > max ? 'error' : ''}
      variant={inCell ? 'borderless' : 'outlined'}
      autoFocus={autoFocus}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
    />
  )
}
