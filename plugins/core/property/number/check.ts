import { compareTexts, type FormField, numberSetting, shift, textSetting, type ValueFault } from '@sluice/sdk'
import { isPercent } from './format'

/** 16 integer and 8 fraction digits. */
const LARGEST = '9999999999999999.99999999'
const LARGEST_SCALE = 8
const FORM = /^[-+]?(?:\d+\.?\d*|\.\d+)$/
/** Longer texts are no numbers for the server. */
const LONGEST = 64

const limit = (field: FormField, name: string) => textSetting(field, name)

/** Decimal places of a stored ratio that stand before the point of its percentage. */
const PERCENT_PLACES = 2

/** A limit as people type it: of a percentage with its sign, 10% for a stored 0.1. */
const shown = (value: string, field: FormField) => (isPercent(field) ? `${shift(value, PERCENT_PLACES)}%` : value)

/** A number that the field takes, as people type it. The server chooses the same one (refuse.go). */
function example(field: FormField): string {
  const places = numberSetting(field, 'scale') ?? LARGEST_SCALE
  const [whole = '', fraction = ''] = (isPercent(field) ? '0.125' : '12.5').split('.')
  const kept = places === 0 ? whole : `${whole}.${fraction.slice(0, places)}`
  const low = limit(field, 'min')
  const high = limit(field, 'max')
  const most = low !== undefined && compareTexts(kept, low) < 0 ? low : kept
  return shown(high !== undefined && compareTexts(most, high) > 0 ? high : most, field)
}

/** More decimal places than the field keeps, counted as people see them. */
function tooFine(scale: number, field: FormField): ValueFault {
  const places = isPercent(field) ? scale - PERCENT_PLACES : scale
  if (places > 0) return { key: 'scale', count: places }
  return places === 0 ? { key: 'whole' } : { key: 'step', limit: shown(shift('1', -scale), field) }
}

/** What the server would say of a number, in its order. */
export function check(value: unknown, field: FormField): ValueFault | null {
  if (typeof value !== 'string' || !FORM.test(value) || value.length > LONGEST)
    return { key: 'number', example: example(field) }
  const digits = value.replace(/^[-+]/, '')
  if (compareTexts(digits, LARGEST) > 0)
    return { key: 'between', low: shown(`-${LARGEST}`, field), high: shown(LARGEST, field) }
  const scale = numberSetting(field, 'scale') ?? LARGEST_SCALE
  const places = (digits.split('.')[1] ?? '').replace(/0+$/, '').length
  if (places > scale) return tooFine(scale, field)
  const low = limit(field, 'min')
  const high = limit(field, 'max')
  const under = low !== undefined && compareTexts(value, low) < 0
  const over = high !== undefined && compareTexts(value, high) > 0
  if (!under && !over) return null
  if (low !== undefined && high !== undefined)
    return { key: 'between', low: shown(low, field), high: shown(high, field) }
  return under ? { key: 'least', limit: shown(low, field) } : { key: 'most', limit: shown(high ?? LARGEST, field) }
}
