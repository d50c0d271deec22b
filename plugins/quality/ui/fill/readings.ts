import { halfWidth } from '@sluice/sdk'

/** A check item with the bounds that its points are compared with. */
export interface Item {
  id: string
  name: string
  itemClass: string
  method: string
  unit: string
  devLow: string | null
  devHigh: string | null
  limitLow: string | null
  limitHigh: string | null
  minPoints: number
}

/** Numbers as people type them, one or many: "12; 15, -3". Null when a part is none, and for 12,5: one value or two, nobody knows. */
export function readNumbers(text: string): string[] | null {
  const plain = halfWidth(text.trim().replaceAll('，', ';')).replace(/[−–]/g, '-')
  if (/\d,\d/.test(plain) && (/[;；、\s]/.test(plain) || plain.indexOf(',') === plain.lastIndexOf(','))) return null
  const parts = plain.split(/[;,，；、\s]+/).filter(Boolean)
  return parts.every((part) => /^[+-]?(\d{1,12}(\.\d{0,8})?|\.\d{1,8})$/.test(part))
    ? parts.map((part) => part.replace(/^\+/, '').replace(/\.$/, ''))
    : null
}

/** Whether a point is in tolerance; the server's judgment is the one that counts. */
export function inTolerance(item: Item, design: string, value: string): boolean {
  const reading = Number(value)
  if (item.method === 'YESNO') return reading !== 0
  const deviation = reading - (Number(design) || 0)
  const within = (low: string | null, high: string | null, at: number) =>
    (low === null || at >= Number(low)) && (high === null || at <= Number(high))
  return within(item.devLow, item.devHigh, deviation) && within(item.limitLow, item.limitHigh, reading)
}

/** "-10…+10": the tolerance as norms write it. */
export function toleranceText({ devLow, devHigh, limitLow, limitHigh }: Item): string {
  const deviates = devLow !== null || devHigh !== null
  const [low, high] = deviates ? [devLow, devHigh] : [limitLow, limitHigh]
  const signed = (text: string) => (deviates && Number(text) > 0 ? `+${text}` : text.replace('-', '−'))
  if (low !== null && high !== null)
    return Number(low) === -Number(high) ? `±${high}` : `${signed(low)} … ${signed(high)}`
  if (low !== null) return `≥ ${signed(low)}`
  return high !== null ? `≤ ${signed(high)}` : ''
}
