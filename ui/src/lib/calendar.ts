import { partsIn } from './zone-parts'

/** Calendar arithmetic on yyyy-MM-dd texts, and days of instants in a time zone. */

const DAY = 86_400_000
const MAX_DAYS = 3_700_000

export class CalendarFault extends Error {}

/** Midnight of a date as if it were UTC. */
function utc(date: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00.000Z`) : Number.NaN
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date) throw new CalendarFault(`no date: ${date}`)
  return ms
}

export const daysBetween = (a: string, b: string): number => (utc(b) - utc(a)) / DAY

export function addDays(date: string, days: number): string {
  const out = new Date(utc(date) + Math.trunc(days) * DAY)
  if (Math.abs(days) > MAX_DAYS || out.getUTCFullYear() < 0 || out.getUTCFullYear() > 9999) {
    throw new CalendarFault('date out of range')
  }
  return out.toISOString().slice(0, 10)
}

export function part(date: string, which: 'year' | 'month' | 'day'): number {
  utc(date)
  const [year, month, day] = date.split('-').map(Number)
  return (which === 'year' ? year : which === 'month' ? month : day) ?? 0
}

/** The clock of a zone at an instant, as milliseconds as if it were UTC. */
function local(ms: number, zone: string): number {
  const at = partsIn(zone, ms)
  const n = (part: string, otherwise: number) => Number(at[part] ?? otherwise)
  return Date.UTC(n('year', 0), n('month', 1) - 1, n('day', 1), n('hour', 0), n('minute', 0), n('second', 0))
}

export const dateIn = (ms: number, zone: string): string => new Date(local(ms, zone)).toISOString().slice(0, 10)

export const hourIn = (ms: number, zone: string): number => new Date(local(ms, zone)).getUTCHours()

/** The instant at which a day begins in a zone, so many days later. */
export function dayStart(date: string, zone: string, days: number): number {
  const wanted = utc(date) + days * DAY
  let out = wanted
  // The zone's offset is looked up where the guess lies; twice, for days on which it changes.
  for (let i = 0; i < 2; i++) out += wanted - local(out, zone)
  return out
}
