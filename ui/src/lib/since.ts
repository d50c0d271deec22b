const UNITS = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** How long ago an instant of the last day was, in words; null: it was longer ago, or has not come. */
export function sinceText(iso: string, now: number, locale: string): string | null {
  const passed = now - Date.parse(iso)
  if (!(passed >= 0 && passed < 86_400_000)) return null
  const [unit, length] = UNITS.find(([, one]) => passed >= one) ?? UNITS[2]
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-Math.floor(passed / length), unit)
}
