import { type FormWidgetProps, useTextContext } from '@sluice/sdk'
import { DatePicker, TimePicker } from 'antd'
import { fromWire, isCalendar, pickerOf, toWire } from './wire'

/** A day, month, year or moment; moments are chosen in the installation's time zone, wherever the browser is. */
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
  const { zone } = useTextContext()
  const format = field.displayFormat ?? 'yyyy-MM-dd'
  const look = pickerOf(format)
  const shared = {
    id,
    value: value ? fromWire(value, format, zone) : null,
    onBlur,
    placeholder,
    status: invalid ? ('error' as const) : ('' as const),
    variant: inCell ? ('borderless' as const) : ('outlined' as const),
    autoFocus,
    style: { width: '100%' },
    needConfirm: false,
    format: look.typed,
  }
  if (look.clock) {
    return <TimePicker {...shared} onChange={(next) => onChange(next ? toWire(next, format, zone) : null)} />
  }
  return (
    <DatePicker
      {...shared}
      picker={look.picker}
      showTime={isCalendar(format) ? false : { format: look.time }}
      onChange={(next) => onChange(next && !Array.isArray(next) ? toWire(next, format, zone) : null)}
    />
  )
}
