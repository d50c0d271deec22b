import { partsIn } from './zone-parts'

/** The instant at which the clocks of a zone show a local time such as 2026-11-21T09:30; null when it is none. */
export function instantOf(local: string, zone: string): string | null {
  const shown = Date.parse(`${local}Z`)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(local) || Number.isNaN(shown)) return null
  const off = (ms: number) => {
    const p = partsIn(zone, ms)
    const year = Number(p.year) > 9999 ? `+0${p.year}` : p.year // the last evening of 9999 is another year elsewhere
    return Date.parse(`${year}-${p.month}-${p.day}T${p.hour}:${p.minute}:${p.second}Z`) - ms
  }
  return new Date(shown - off(shown - off(shown))).toISOString().replace('.000Z', 'Z')
}
