import dayjs, { type Dayjs } from 'dayjs'
import timezone from 'dayjs/plugin/timezone'
import utc from 'dayjs/plugin/utc'

dayjs.extend(utc)
dayjs.extend(timezone)

const calendars = ['yyyy-MM-dd', 'yyyy-MM', 'yyyy', 'MM-dd']

/** Calendar formats hold a day, the others a moment (specification: date display formats). */
export const isCalendar = (format: string) => calendars.includes(format)

interface Picker {
  picker: 'date' | 'month' | 'year'
  /** How the control shows its value, in dayjs's words. */
  format: string
  /** What may be typed: the shown format first, then other ways to write the same. */
  typed: string[]
  /** Only the time of day is chosen. */
  clock: boolean
  time: string
}

/** The control that fits a display format. */
export function pickerOf(format: string): Picker {
  const clock = !format.includes('d') && !format.includes('y')
  const time = /HH:mm:ss/.test(format) ? 'HH:mm:ss' : 'HH:mm'
  const shown = format
    .replace('yyyy', 'YYYY')
    .replace('dd', 'DD')
    .replace(/(CN|EN)-APM hh:mm/, 'HH:mm')
  const picker = format === 'yyyy' ? 'year' : format === 'yyyy-MM' ? 'month' : 'date'
  return { picker, format: shown, typed: typedFormats(shown), clock, time }
}

/** Years first, in whatever marks people put between, also without leading zeros. */
function typedFormats(shown: string): string[] {
  if (!shown.startsWith('YYYY-MM')) return [shown]
  const loose = shown.replace('MM', 'M').replace('DD', 'D')
  const chinese = loose.replace('YYYY-M', 'YYYY年M月').replace('月-D', '月D日')
  return [shown, loose, loose.replaceAll('-', '/'), loose.replaceAll('-', '.'), chinese, shown.replaceAll('-', '')]
}

/** A wire value as the control's moment: its fields read as they are in the zone. */
export function fromWire(value: string, format: string, zone: string): Dayjs {
  return isCalendar(format) ? dayjs(value.slice(0, 10)) : dayjs(dayjs(value).tz(zone).format('YYYY-MM-DDTHH:mm:ss'))
}

/** The control's moment on the wire: "2026-11-21", or RFC 3339 in UTC. */
export function toWire(moment: Dayjs, format: string, zone: string): string {
  if (format === 'yyyy') return moment.format('YYYY-01-01')
  if (format === 'yyyy-MM') return moment.format('YYYY-MM-01')
  if (isCalendar(format)) return moment.format('YYYY-MM-DD')
  return dayjs.tz(moment.format('YYYY-MM-DDTHH:mm:ss'), zone).toISOString()
}
