import { displayFormatOf, type FormField, halfWidth, type ParseContext } from '@sluice/sdk'
import dayjs from 'dayjs'
import { isCalendar, toWire } from './wire'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

interface Day {
  year: number
  month: number
  day: number
}

const pad = (n: number) => String(n).padStart(2, '0')

/** Years first in any marks, months by name, and days first or last only where they cannot be mistaken. */
function dayOf(text: string): Day | undefined {
  const first = /^(\d{4})(?:[-/.年](\d{1,2})(?:[-/.月](\d{1,2})日?|月)?|年)?$/.exec(text)
  if (first) return { year: Number(first[1]), month: Number(first[2] ?? 1), day: Number(first[3] ?? 1) }
  const joined = /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  if (joined) return { year: Number(joined[1]), month: Number(joined[2]), day: Number(joined[3]) }
  const named = /^(?:(\d{1,2})[- ]?([a-z]{3})[a-z]*|([a-z]{3})[a-z]* ?(\d{1,2})),?[- ]?(\d{4})$/i.exec(text)
  if (named) {
    const month = MONTHS.indexOf((named[2] ?? named[3] ?? '').toLowerCase()) + 1
    return { year: Number(named[5]), month, day: Number(named[1] ?? named[4]) }
  }
  const last = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(text)
  if (!last) return undefined
  const [a, b, year] = [Number(last[1]), Number(last[2]), Number(last[3])]
  if (a > 12 || a === b) return { year, month: b, day: a }
  return b > 12 ? { year, month: a, day: b } : undefined
}

/** "14:05:09", also with a half of the day before or behind it. */
function clockOf(text: string): string | undefined {
  const found = /^(上午|下午|am|pm)? ?(\d{1,2})(?::|时|点)(\d{1,2})?(?::|分)?(\d{1,2})?秒?(?:\.\d+)? ?(am|pm)?$/i.exec(
    text,
  )
  if (!found) return undefined
  const half = (found[1] ?? found[5] ?? '').toLowerCase()
  let hour = Number(found[2])
  if (half && (hour < 1 || hour > 12)) return undefined
  if (half) hour = (hour % 12) + (half === '下午' || half === 'pm' ? 12 : 0)
  const [minute, second] = [Number(found[3] ?? 0), Number(found[4] ?? 0)]
  if (hour > 23 || minute > 59 || second > 59) return undefined
  return `${pad(hour)}:${pad(minute)}:${pad(second)}`
}

/** The day or moment that a text says. Moments are read in the installation's time zone. */
export function parseText(text: string, field: FormField, { zone }: ParseContext): string | undefined {
  const format = displayFormatOf(field) ?? 'yyyy-MM-dd'
  const plain = halfWidth(text).replace(/[：]/g, ':').replace(/\s+/g, ' ').trim()
  if (!isCalendar(format) && /^\d{4}-\d\d-\d\dT.*(Z|[-+]\d\d:\d\d)$/.test(plain) && !Number.isNaN(Date.parse(plain)))
    return new Date(plain).toISOString()
  const [, date = '', time] = /^(.*?)(?:[T ]((?:上午|下午)? ?\d{1,2}[:时点].*))?$/.exec(plain) ?? []
  const bare =
    format === 'MM-dd' ? `2000-${date.replace(/^(\d{1,2})月(\d{1,2})日?$/, '$1-$2').replace('/', '-')}` : date
  const day = dayOf(date) ?? (format === 'MM-dd' ? dayOf(bare) : undefined)
  const clock = time === undefined ? '00:00:00' : clockOf(time)
  if (!day || clock === undefined) return undefined
  const iso = `${String(day.year).padStart(4, '0')}-${pad(day.month)}-${pad(day.day)}`
  const moment = dayjs(`${iso}T${clock}`)
  return moment.isValid() && moment.format('YYYY-MM-DD') === iso ? toWire(moment, format, zone) : undefined
}
