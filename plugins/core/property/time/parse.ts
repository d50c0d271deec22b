import { halfWidth } from '@sluice/sdk'

const pad = (n: number) => String(n).padStart(2, '0')

/** The time of day that a text says, "HH:mm:ss" on the wire. */
export function parseText(text: string): string | undefined {
  const plain = halfWidth(text).replaceAll('：', ':').trim()
  const found = /^(上午|下午|am|pm)? ?(\d{1,2})(?::|时|点)(\d{1,2})?(?::|分)?(\d{1,2})?秒? ?(am|pm)?$/i.exec(plain)
  if (!found) return undefined
  const half = (found[1] ?? found[5] ?? '').toLowerCase()
  let hour = Number(found[2])
  if (half && (hour < 1 || hour > 12)) return undefined
  if (half) hour = (hour % 12) + (half === '下午' || half === 'pm' ? 12 : 0)
  const [minute, second] = [Number(found[3] ?? 0), Number(found[4] ?? 0)]
  return hour > 23 || minute > 59 || second > 59 ? undefined : `${pad(hour)}:${pad(minute)}:${pad(second)}`
}
