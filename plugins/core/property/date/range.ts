import { type DateKind, formatInstant, readDate, type TextContext } from '@sluice/sdk'

const LENGTHS = { year: 4, month: 7, date: 10 }

/** A chosen end as the list call takes it. The server reads it in the installation's zone: a day means the whole day. */
export function endText(
  end: string,
  unit: 'year' | 'month' | 'date',
  timed: boolean,
  last: boolean,
  context: TextContext,
): string {
  if (!timed) return end.slice(0, LENGTHS[unit])
  const local = formatInstant(end, 'yyyy-MM-dd HH:mm', context)
  return local.endsWith(last ? ' 23:59' : ' 00:00') ? local.slice(0, LENGTHS.date) : local
}

/** The last day of a year or a month that is written shortly. */
function lastDay(end: string): string {
  if (end.length === 4) return `${end}-12-31`
  if (end.length !== 7) return end
  const [year, month] = end.split('-').map(Number) as [number, number]
  return `${end}-${new Date(Date.UTC(year, month, 0)).getUTCDate()}`
}

/** The two ends as the boxes show them; a word without ";" is both. Points in time are shown in the installation's zone. */
export function shownEnds(value: string, context: TextContext): [from: string, to: string] {
  const [from = '', to = from] = value.split(';')
  const local = (end: string, last: boolean) => {
    if (/T.*(Z|[+-]\d\d:\d\d)$/.test(end)) return formatInstant(end, 'yyyy-MM-dd HH:mm', context)
    return last && /^\d{4}(-\d\d){0,2}$/.test(end) ? `${lastDay(end)} 23:59` : end
  }
  return [local(from, false), local(to, true)]
}

/** What a box of that kind holds for an end; null for none. */
export function storedEnd(shown: string, kind: DateKind, { zone }: TextContext): string | null {
  const [day = '', clock] = shown.split(/[ T]/)
  const [year = '', month = '01', date = '01'] = day.split('-')
  if (!/^\d{4}$/.test(year)) return null
  if (kind === 'year') return `${year}-01-01`
  if (kind === 'month') return `${year}-${month}-01`
  const whole = `${year}-${month}-${date}`
  return readDate(kind === 'moment' && clock ? `${whole} ${clock}` : whole, kind, { zone }) ?? null
}
