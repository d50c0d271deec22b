const MINUTE = 60_000

/** How long ago something was, in the steps that notifications know; null = its date and time are shown. */
export function agoStep(iso: string, now: number): 'now' | 5 | 10 | null {
  const minutes = (now - Date.parse(iso)) / MINUTE
  if (minutes < 5) return 'now'
  if (minutes < 10) return 5
  return minutes < 30 ? 10 : null
}
