import { type FormWidgetProps, numberSetting, trimmed } from '@sluice/sdk'
import { Input } from 'antd'

/** One line of text; how much room is left is shown when little is. */
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
  const max = numberSetting(field, 'maxLength') ?? 200
  // What is too long stays, and is counted: the form says so and does not save it.
  const length = [...trimmed(value ?? '')].length
  const over = length > max
  return (
    <Input
      id={id}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
      onBlur={() => {
        const plain = trimmed(value ?? '')
        if (plain !== (value ?? '')) onChange(plain || null)
        onBlur?.()
      }}
      count={{ max, show: over || (!inCell && length > max * 0.8), strategy: (text) => [...text].length }}
      placeholder={placeholder}
      status={invalid || over ? 'error' : ''}
      variant={inCell ? 'borderless' : 'outlined'}
      autoFocus={autoFocus}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
    />
  )
}
