import { formatInstant } from './dates'
import { halfWidth } from './decimal'
import { arabic } from './numerals'
import { visible } from './visible'
import { instantOf } from './zoned'

/** What a box asks for; "clock" is a moment of which only the time of day is shown, "time" has no day at all. */
export type DateKind = 'date' | 'month' | 'year' | 'monthDay' | 'moment' | 'clock' | 'time'

export interface DateTextContext {
  /** IANA name of the installation's time zone: moments are typed by its clock. */
  zone: string
  /** The day now in that zone, for texts without a year. */
  today?: string
  /** The day that a clock's time belongs to; today when missing. */
  day?: string
  /** What a day alone means in a moment's box; its first minute when missing. */
  clock?: string
}

/** Boxes in which a day may stand without its year: in the others its digits would mean something else. */
const YEARLESS = new Set<DateKind>(['date', 'monthDay', 'moment'])

/** The kind of a date property by its display format. */
export function kindOfFormat(format: string): DateKind {
  if (format === 'yyyy') return 'year'
  if (format === 'yyyy-MM') return 'month'
  if (format === 'MM-dd') return 'monthDay'
  if (!/[Hh]{2}/.test(format)) return 'date'
  return format.includes('y') ? 'moment' : 'clock'
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ')

interface Day {
  year: number
  month: number
  day: number
}

const pad = (n: number | string, width = 2) => String(n).padStart(width, '0')
const isoOf = ({ year, month, day }: Day) => `${pad(year, 4)}-${pad(month)}-${pad(day)}`

/** The day when the calendar has it. */
function real(year: number, month: number, day: number): Day | undefined {
  const last = [31, year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28, 31, 30, 31, 30]
  const days = [...last, 31, 31, 30, 31, 30, 31][month - 1]
  return year > 0 && days !== undefined && day > 0 && day <= days ? { year, month, day } : undefined
}

/** Two digits of a year, where a mark says that they are one: 69 is 2069, 70 is 1970. */
const century = (two: string) => Number(two) + (Number(two) < 70 ? 2000 : 1900)

/** The number of a month by its name or the beginning of it; 0 for none. */
const monthOf = (name: string) => MONTHS.findIndex((month) => month.startsWith(name.toLowerCase())) + 1
const numbers = (found: RegExpExecArray) => found.slice(1).map(Number) as [number, number, number]

/** A day with its year: year first in any marks, a month by name, or the year last where day and month cannot be mistaken. */
function fullDay(text: string): Day | undefined {
  const first = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})[日号]?$/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(text)
  if (first) return real(...numbers(first))
  const short = /^(\d\d)年(\d{1,2})月(\d{1,2})[日号]?$/.exec(text)
  if (short) return real(century(short[1] as string), Number(short[2]), Number(short[3]))
  const named =
    /^(?:(\d{1,2})(?:st|nd|rd|th)?[- ]?([a-z]{3,9})|([a-z]{3,9}) ?(\d{1,2})(?:st|nd|rd|th)?(?=\D)),?[- ]?(\d{4})$/i.exec(
      text,
    )
  if (named) return real(Number(named[5]), monthOf(named[2] ?? named[3] ?? ''), Number(named[1] ?? named[4]))
  const last = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(text)
  if (!last) return undefined
  const [a, b, year] = numbers(last)
  if (a > 12 || a === b) return real(year, b, a)
  return b > 12 ? real(year, a, b) : undefined
}

/** A month and a day, in this order: 11-25, 11.25, 1125, 11月25日. */
function yearlessDay(text: string, year: number): Day | undefined {
  const found = /^(\d{1,2})[-/.月](\d{1,2})[日号]?$/.exec(text) ?? /^(\d\d)(\d\d)$/.exec(text)
  return found ? real(year, Number(found[1]), Number(found[2])) : undefined
}

function monthIn(text: string, year: number): Day | undefined {
  const first = /^(\d{4})[-/.年](\d{1,2})月?$/.exec(text) ?? /^(\d{4})(\d\d)$/.exec(text)
  if (first) return real(Number(first[1]), Number(first[2]), 1)
  const short = /^(\d\d)年(\d{1,2})月$/.exec(text)
  if (short) return real(century(short[1] as string), Number(short[2]), 1)
  const named = /^([a-z]{3,9})[- ,]?(\d{4})$/i.exec(text)
  if (named) return real(Number(named[2]), monthOf(named[1] as string), 1)
  const alone = /^(\d{1,2})月?$/.exec(text)
  return alone ? real(year, Number(alone[1]), 1) : undefined
}

function yearIn(text: string): Day | undefined {
  const found = /^(\d{4})年?$/.exec(text)
  if (found) return real(Number(found[1]), 1, 1)
  const short = /^(\d\d)年$/.exec(text)
  return short ? real(century(short[1] as string), 1, 1) : undefined
}

/** Hour, minute and second as they stand; a point with one digit behind it means tenths of an hour. */
function clockParts(text: string): [string, string, string, string?] | undefined {
  const marked = /^(\d{1,2})[:时点](\d{1,2})(?:[:分](\d{1,2})(?:\.(\d{1,9}))?秒?)?分?$/.exec(text)
  if (marked) return [marked[1] as string, marked[2] as string, marked[3] ?? '0', marked[4]]
  const hour = /^(\d{1,2})[时点](整|半)?$/.exec(text)
  if (hour) return [hour[1] as string, hour[2] === '半' ? '30' : '0', '0']
  const tenths = /^(\d{1,2})\.(\d)$/.exec(text)
  if (tenths) return [tenths[1] as string, String(Number(tenths[2]) * 6), '0']
  const dotted = /^(\d{1,2})\.(\d\d)(?:\.(\d\d))?$/.exec(text)
  if (dotted) return [dotted[1] as string, dotted[2] as string, dotted[3] ?? '0']
  const digits = /^(\d{1,2})(\d\d)?(\d\d)?$/.exec(text)
  return digits ? [digits[1] as string, digits[2] ?? '0', digits[3] ?? '0'] : undefined
}

const AFTERNOON = new Set(['下午', '中午', '晚上', 'pm'])

/** "14:05:09", and the thousandths where a text says them; also with a half of the day before or behind it. */
function clockIn(text: string): { clock: string; ms: string | undefined } | undefined {
  const [, before, plain = '', behind] = /^(上午|下午|凌晨|中午|晚上|am|pm)? ?(.*?) ?(am|pm)?$/i.exec(text) ?? []
  if (before && behind) return undefined
  const parts = clockParts(plain)
  if (!parts) return undefined
  const [, minute, second] = parts.map(Number) as [number, number, number]
  let hour = Number(parts[0])
  const half = (before ?? behind ?? '').toLowerCase()
  if (half && (hour < 1 || hour > 12 || (half === '晚上' && hour === 12))) return undefined
  if (half) hour = (hour % 12) + (AFTERNOON.has(half) && !(half === '中午' && hour === 11) ? 12 : 0)
  if (hour > 23 || minute > 59 || second > 59) return undefined
  return { clock: `${pad(hour)}:${pad(minute)}:${pad(second)}`, ms: parts[3] }
}

/** A day and, where one follows, a time; without `year` the text has to name one. */
function dayAndClock(text: string, year: number | undefined) {
  const dayOf = (part: string) => fullDay(part) ?? (year === undefined ? undefined : yearlessDay(part, year))
  const joined = /^(\d{8})(\d{4}|\d{6})$/.exec(text)
  const alone = joined ? undefined : dayOf(text)
  if (alone) return { day: isoOf(alone), clock: undefined, ms: undefined }
  const splits = joined ? [[joined[1], joined[2]]] : []
  for (const gap of text.matchAll(/[ T]|(?<=[日号])/g))
    splits.push([text.slice(0, gap.index), text.slice(gap.index + gap[0].length)])
  for (const [before = '', behind = ''] of splits) {
    const day = dayOf(before)
    const time = day && clockIn(behind)
    if (time) return { day: isoOf(day), ...time }
  }
  return undefined
}

/** RFC 3339, with the offset that makes it a point in time. */
function instantIn(text: string): string | undefined {
  const found = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)$/.exec(text)
  const right = found && fullDay(found[1] as string) && clockIn(found[2] as string)
  return right && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : undefined
}

function momentAt(day: string, clock: string, ms: string | undefined, zone: string): string | undefined {
  try {
    return instantOf(`${day}T${clock}`, zone)?.replace(/(\.\d+)?Z$/, `.${(ms ?? '').padEnd(3, '0').slice(0, 3)}Z`)
  } catch {
    return undefined // years that the browser's calendars do not place in a zone
  }
}

/** A day of the week beside a date says nothing new. */
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+|\s*[(（]?(?:星期|周)[一二三四五六日天][)）]?\s*/gi

/** Digits and marks as any keyboard types them, in their plain forms, without spaces around marks. */
const plainOf = (text: string) =>
  arabic(halfWidth(visible(text)).replace(WEEKDAY, ' ').replace(/\s+/g, ' ').trim())
    .replace(/[：∶]/g, ':')
    .replace(/[／]/g, '/')
    .replace(/[‐‑–—]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/ ?([-/.:,年月时点分]) ?/g, '$1')
    .replace(/ ([日号])/g, '$1')

/**
 * What a typed or pasted text says, in the form that is stored: a day, "HH:mm:ss", or a moment in UTC; undefined when it cannot be
 * read in one way only. Days without a year are this year's, a day in a moment's box is its first minute, and of a day box's
 * text a time is left out, as the server does. The cases are in plugins/core/property/date/testdata/texts.json.
 */
export function readDate(text: string, kind: DateKind, context: DateTextContext): string | undefined {
  const { zone } = context
  const today = context.today ?? formatInstant(new Date().toISOString(), 'yyyy-MM-dd', { zone, locale: 'en' })
  const plain = plainOf(text)
  if (kind === 'time') {
    const time = clockIn(plain)
    return time?.ms === undefined ? time?.clock : undefined
  }
  const year = kind === 'monthDay' ? 2000 : Number(today.slice(0, 4))
  if (kind === 'month' || kind === 'year') {
    const first = kind === 'month' ? monthIn(plain, year) : yearIn(plain)
    if (first) return isoOf(first)
  }
  const instant = instantIn(plain)
  const timed = kind === 'moment' || kind === 'clock'
  if (instant) return timed ? instant : whole(formatInstant(instant, 'yyyy-MM-dd', { zone, locale: 'en' }), kind)
  const time = kind === 'clock' ? clockIn(plain) : undefined
  if (time) return momentAt(context.day ?? today, time.clock, time.ms, zone)
  const found = dayAndClock(plain, YEARLESS.has(kind) ? year : undefined)
  if (!found) return undefined
  return timed
    ? momentAt(found.day, found.clock ?? context.clock ?? '00:00:00', found.ms, zone)
    : whole(found.day, kind)
}

/** A day in a month's or a year's box has to be its first one: what would be left out is not what was meant. */
function whole(day: string, kind: DateKind): string | undefined {
  if (kind === 'month') return day.endsWith('-01') ? day : undefined
  return kind !== 'year' || day.endsWith('-01-01') ? day : undefined
}

/** Whether a value has the stored form of its kind. */
export function isStoredDate(value: string, kind: DateKind): boolean {
  if (kind === 'time') return /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(value)
  if (kind === 'moment' || kind === 'clock') return instantIn(value) !== undefined
  return /^\d{4}-\d\d-\d\d$/.test(value) && fullDay(value) !== undefined
}
