import { compareTexts, type FormField, numberSetting, textSetting, type ValueFault } from '@sluice/sdk'

/** 16 integer and 8 fraction digits. */
const LARGEST = '9999999999999999.99999999'
const FORM = /^[-+]?(?:\d+\.?\d*|\.\d+)$/
/** Longer texts are no numbers for the server. */
const LONGEST = 64

const limit = (field: FormField, name: string) => textSetting(field, name)

/** What the server would say of a number, in its order. */
export function check(value: unknown, field: FormField): ValueFault | null {
  if (typeof value !== 'string' || !FORM.test(value) || value.length > LONGEST) return { key: 'type' }
  const digits = value.replace(/^[-+]/, '')
  if (compareTexts(digits, LARGEST) > 0) return { key: 'between', low: `-${LARGEST}`, high: LARGEST }
  const scale = numberSetting(field, 'scale') ?? 8
  const places = (digits.split('.')[1] ?? '').replace(/0+$/, '').length
  if (places > scale) return scale === 0 ? { key: 'whole' } : { key: 'scale', count: scale }
  const low = limit(field, 'min')
  const high = limit(field, 'max')
  const under = low !== undefined && compareTexts(value, low) < 0
  const over = high !== undefined && compareTexts(value, high) > 0
  if (!under && !over) return null
  if (low !== undefined && high !== undefined) return { key: 'between', low, high }
  return under ? { key: 'least', limit: low } : { key: 'most', limit: high ?? LARGEST }
}
