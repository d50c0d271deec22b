import { DateBox, type FormWidgetProps, isUnread, kindOfFormat, type Unread } from '@sluice/sdk'

/** A day, month, year or moment; moments are typed and picked in the installation's time zone, wherever the browser is. */
export function FormWidget({
  field,
  value,
  onChange,
  values: _,
  fill: __,
  schemaCode: ___,
  ...box
}: FormWidgetProps<string | Unread>) {
  const format = field.displayFormat ?? 'yyyy-MM-dd'
  return (
    <DateBox
      {...box}
      kind={kindOfFormat(format)}
      format={format}
      value={isUnread(value) ? null : value}
      unread={isUnread(value) ? value.unread : null}
      onChange={onChange}
      onUnread={(unread) => onChange({ unread })}
    />
  )
}
