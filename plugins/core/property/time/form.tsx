import { DateBox, type FormWidgetProps, isUnread, type Unread } from '@sluice/sdk'
import { timeFormat } from './format'

/** A time of day, "HH:mm:ss" on the wire. */
export function FormWidget({
  field,
  value,
  onChange,
  values: _,
  fill: __,
  schemaCode: ___,
  ...box
}: FormWidgetProps<string | Unread>) {
  return (
    <DateBox
      {...box}
      kind="time"
      format={timeFormat(field)}
      value={isUnread(value) ? null : value}
      unread={isUnread(value) ? value.unread : null}
      onChange={onChange}
      onUnread={(unread) => onChange({ unread })}
    />
  )
}
