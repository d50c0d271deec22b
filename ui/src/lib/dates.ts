import type { Locale } from './local-name'
import { partsIn } from './zone-parts'

/** Display formats by their wire numbers; documents name the texts themselves. */
const WIRE = [
  'yyyy-MM-dd',
  'yyyy-MM-dd',
  'yyyy-MM-dd HH:mm:ss',
  'yyyy-MM-dd HH:mm',
  'yyyy-MM',
  'yyyy',
  'MM-dd',
  'HH:mm',
  'HH:mm:ss',
  'yyyy-MM-dd CN-APM hh:mm',
  'yyyy-MM-dd EN-APM hh:mm',
  'CN-APM hh:mm',
  'EN-APM hh:mm',
]

export function dateFormat(displayFormat: string | null | undefined): string {
  if (!displayFormat) return 'yyyy-MM-dd'
  return /^\d+$/.test(displayFormat) ? (WIRE[Number(displayFormat)] ?? 'yyyy-MM-dd') : displayFormat
}

/** Instants carry a time; the others are calendar days, which no time zone moves. */
export const isInstantFormat = (format: string) => /[Hh]{2}/.test(format)

type Parts = Record<string, string>

function partsAt(zone: string, iso: string): Parts | null {
  const time = Date.parse(iso)
  return Number.isNaN(time) ? null : partsIn(zone, time)
}

function half(parts: Parts): [morning: boolean, hour: string] {
  const hour = Number(parts.hour)
  return [hour < 12, String(hour % 12 || 12).padStart(2, '0')]
}

function fill(format: string, parts: Parts): string {
  const [morning, hour12] = half(parts)
  return format
    .replace('yyyy', parts.year ?? '')
    .replace('MM', parts.month ?? '')
    .replace('dd', parts.day ?? '')
    .replace('HH', parts.hour ?? '')
    .replace('hh', hour12)
    .replace('mm', parts.minute ?? '')
    .replace('ss', parts.second ?? '')
    .replace('CN-APM', morning ? '上午' : '下午')
    .replace('EN-APM', morning ? 'AM' : 'PM')
}

/** An instant by a display format, in the installation's time zone. */
export function formatInstant(iso: string, format: string, context: { zone: string; locale: Locale }): string {
  const parts = partsAt(context.zone, iso)
  return parts ? fill(format, parts) : iso
}

/** A value of a date property: a calendar day as it is, an instant in the installation's time zone. */
export function formatDate(
  value: string,
  displayFormat: string | null | undefined,
  context: { zone: string; locale: Locale },
): string {
  const format = dateFormat(displayFormat)
  if (value.includes('T')) return formatInstant(value, format, context)
  const [, year = '', month = '', day = ''] = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?/.exec(value) ?? []
  return year ? fill(format, { year, month, day, hour: '00', minute: '00', second: '00' }) : value
}
