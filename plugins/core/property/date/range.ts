import { formatInstant, type TextContext } from '@sluice/sdk'
import dayjs, { type Dayjs } from 'dayjs'

const formats = { year: 'YYYY', month: 'YYYY-MM', date: 'YYYY-MM-DD' }

/** A chosen end as the list call takes it. The server reads it in the installation's zone: a day means the whole day. */
export function endText(end: Dayjs, unit: 'year' | 'month' | 'date', timed: boolean, last: boolean): string {
  const clock = end.format('HH:mm')
  const whole = !timed || clock === (last ? '23:59' : '00:00')
  return end.format(whole ? formats[unit] : 'YYYY-MM-DD HH:mm')
}

/** The two ends as the picker shows them; a word without ";" is both. Points in time are shown in the installation's zone. */
export function shownEnds(value: string, context: TextContext): [from: string, to: string] {
  const [from = '', to = from] = value.split(';')
  const local = (end: string, last: boolean) => {
    if (/T.*(Z|[+-]\d\d:\d\d)$/.test(end)) return formatInstant(end, 'yyyy-MM-dd HH:mm', context)
    if (!last || !/^\d{4}(-\d\d){0,2}$/.test(end)) return end
    const unit = end.length === 4 ? 'year' : end.length === 7 ? 'month' : 'day'
    return dayjs(end).endOf(unit).format('YYYY-MM-DD HH:mm')
  }
  return [local(from, false), local(to, true)]
}
