import { type FormWidgetProps, numberSetting } from '@sluice/sdk'
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
  const limit = numberSetting(field, 'maxLength') ?? 200
  const near = !inCell && (value?.length ?? 0) > limit * 0.8
  return (
    <Input
      id={id}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
      onBlur={onBlur}
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
