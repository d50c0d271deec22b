/** A day as documents write it. */
const text = (date: Date) => date.toISOString().slice(0, 10)

const at = (day: string) => new Date(`${day}T00:00:00Z`)

export const plusDays = (day: string, by: number) => {
  const date = at(day)
  date.setUTCDate(date.getUTCDate() + by)
  return text(date)
}

/** The first day of the month that is `by` months away. */
export function plusMonths(day: string, by: number): string {
  const date = at(`${day.slice(0, 7)}-01`)
  date.setUTCMonth(date.getUTCMonth() + by)
  return text(date)
}

/** The six weeks that show a month; weeks begin on Monday, in English on Sunday. */
export function weeksOf(day: string, first: 0 | 1): string[][] {
  const start = `${day.slice(0, 7)}-01`
  const before = (at(start).getUTCDay() - first + 7) % 7
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (__, i) => plusDays(start, week * 7 + i - before)),
  )
}

export interface CalendarEvent {
  id: string
  to: string
  name: string
  color: string | null
  /** The word of its color. */
  kind: string
  /** The first and the last day. */
  from: string
  until: string
}

/** The events of each day, those that began earlier first, so that one keeps its line. */
export function byDay(events: CalendarEvent[], days: string[]): Map<string, CalendarEvent[]> {
  const sorted = [...events].sort((a, b) => a.from.localeCompare(b.from) || a.name.localeCompare(b.name))
  return new Map(days.map((day) => [day, sorted.filter(({ from, until }) => from <= day && day <= until)]))
}
