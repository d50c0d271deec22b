import dayjs, { type Dayjs } from 'dayjs'
import { type DateKind, readDate } from '@/lib/date-text'
import { formatInstant } from '@/lib/dates'

/** How a calendar shows a moment; it has no zone of its own. */
const LOCAL = 'yyyy-MM-dd HH:mm:ss'

/** A stored value as the calendar's day and time: those of the zone. */
export function toCalendar(value: string, kind: DateKind, zone: string): Dayjs {
  if (kind === 'time') return dayjs(`2000-01-01T${value}`)
  const instant = kind === 'moment' || kind === 'clock'
  return dayjs(instant ? formatInstant(value, LOCAL, { zone, locale: 'en' }).replace(' ', 'T') : value.slice(0, 10))
}

/** What was picked in the calendar, as it is stored. */
export function fromCalendar(picked: Dayjs, kind: DateKind, zone: string): string | undefined {
  if (kind === 'time') return picked.format('HH:mm:ss')
  if (kind === 'year') return picked.format('YYYY-01-01')
  if (kind === 'month') return picked.format('YYYY-MM-01')
  if (kind === 'moment' || kind === 'clock') return readDate(picked.format('YYYY-MM-DD HH:mm:ss'), 'moment', { zone })
  return picked.format('YYYY-MM-DD')
}
