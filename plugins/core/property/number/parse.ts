import { canonical, type FieldPlan, shift, textSetting } from '@sluice/sdk'
import { isPercent } from './format'

/** Signs and words of money before or behind figures. */
const MONEY = /^(?:rmb|cny|usd|eur|[¥$€£])\s*|\s*(?:元|rmb|cny|usd|eur)$/g

/** A plain number, or thousands in threes. Anything else with commas could mean two things. */
const FORM = /^[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:e[-+]?\d{1,2})?$/

/** A text in half-width small letters, with one sort of minus and of space. */
const plainOf = (text: string) =>
  text.normalize('NFKC').toLowerCase().replace(/[−–]/g, '-').replace(/。/g, '.').replace(/\s+/g, ' ').trim()

/**
 * The exact number that a text says: with separators, a unit, money, in hundredths, in brackets when negative. Imports read the same
 * texts; the cases are in ../internal/spelling/testdata/texts.json.
 */
export function parseText(text: string, field: FieldPlan): string | undefined {
  let plain = plainOf(text)
  const negative = /^\((.*)\)$/.exec(plain)
  if (negative) plain = `-${negative[1]}`
  const unit = plainOf(textSetting(field, 'unit') ?? '')
  if (unit && plain.endsWith(unit)) plain = plain.slice(0, -unit.length).trim()
  const minus = plain.startsWith('-') ? '-' : ''
  plain = plain.slice(minus.length).trim().replace(MONEY, '')
  const hundredths = plain.endsWith('%')
  if (hundredths) plain = plain.slice(0, -1).trim()
  if (!plain.includes(',')) plain = plain.replaceAll(' ', ',')
  plain = minus + plain
  if (!/\d/.test(plain) || !FORM.test(plain)) return undefined
  const [digits = '', exponent] = plain.replaceAll(',', '').split('e')
  const exact = canonical(exponent === undefined ? digits : shift(digits, Number(exponent)))
  if (exact === null) return undefined
  // What programs copy from a cell of percentages bears the sign; a bare figure is meant as it would be typed here.
  return hundredths || isPercent(field) ? shift(exact, -2) : exact
}
