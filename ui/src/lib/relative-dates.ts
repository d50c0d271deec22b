const day = (date: Date) => date.toISOString().slice(0, 10)

/** The words for days that the list call takes; "lastDays:7" is one more. */
export const relativeWords = ['today', 'thisWeek', 'thisMonth', 'thisYear'] as const

/** The n of "lastDays:n"; null for everything else. */
export function lastDaysOf(word: string): number | null {
  const days = /^lastDays:([1-9]\d{0,4})$/.exec(word)?.[1]
  return days ? Number(days) : null
}

export const isRelative = (word: string) =>
  (relativeWords as readonly string[]).includes(word) || lastDaysOf(word) !== null

/** The first and last day of a word, counted from a day (yyyy-MM-dd). For showing only: the server counts for itself. */
export function relativeRange(word: string, today: string): [from: string, to: string] | null {
  const now = new Date(`${today}T00:00:00Z`)
  const at = (year: number, month: number, date: number) => day(new Date(Date.UTC(year, month, date)))
  const [y, m, d] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  if (word === 'today') return [today, today]
  if (word === 'thisWeek') {
    const monday = d - ((now.getUTCDay() + 6) % 7)
    return [at(y, m, monday), at(y, m, monday + 6)]
  }
  if (word === 'thisMonth') return [at(y, m, 1), at(y, m + 1, 0)]
  if (word === 'thisYear') return [at(y, 0, 1), at(y, 11, 31)]
  const days = lastDaysOf(word)
  return days ? [at(y, m, d - days + 1), today] : null
}
