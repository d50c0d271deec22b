import { type FormWidgetProps, formatDate, useTextContext } from '@sluice/sdk'
import { DatePicker, TimePicker } from 'antd'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import { fromWire, isCalendar, pickerOf, toWire } from './wire'

/**
 * A day, month, year or moment; moments are chosen in the installation's time zone, wherever the browser is. Halves of the day
 * are written once the field is left: people type the 24 hours.
 */
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
  const context = useTextContext()
  const { zone } = context
  const [typing, setTyping] = useState(false)
  const format = field.displayFormat ?? 'yyyy-MM-dd'
  const look = pickerOf(format)
  const read = (moment: Dayjs) => formatDate(toWire(moment, format, zone), format, context)
  const shared = {
    id,
    value: value ? fromWire(value, format, zone) : null,
    onFocus: () => setTyping(true),
    onBlur: () => {
      setTyping(false)
      onBlur?.()
    },
    placeholder,
    status: invalid ? ('error' as const) : ('' as const),
    variant: inCell ? ('borderless' as const) : ('outlined' as const),
    autoFocus,
    style: { width: '100%' },
    needConfirm: false,
    format: typing || !format.includes('APM') ? look.typed : [read, ...look.typed],
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
