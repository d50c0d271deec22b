import { canonical, type FieldPlan, numeral, shift, textSetting, visible } from '@sluice/sdk'
import { isPercent } from './format'

/** Signs and words of money before or behind figures. */
const MONEY = /^(?:rmb|cny|usd|eur|人民币|[¥$€£])\s*|\s*(?:[元圆圓]|rmb|cny|usd|eur)$/g
const MONEYS = /^(?:元|rmb|cny|usd|eur|人民币|[¥$€£])$/

/** Words and signs behind figures that move their point by so many places. */
const SHIFTS: [word: string, places: number][] = [
  ['%', -2],
  ['‰', -3],
  ['万亿', 12],
  ['万', 4],
  ['亿', 8],
]

/** A plain number, or thousands in threes. Anything else with commas could mean two things. */
const FORM = /^[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:e[-+]?\d{1,2})?$/

/** A text in half-width small letters, with one sort of minus and of space. */
const plainOf = (text: string) =>
  visible(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[−–—‐]/g, '-')
    .replace(/。/g, '.')
    .replace(/\s+/g, ' ')
    .trim()

/**
 * The exact number that a text says: with separators, a unit, money, in hundredths, in brackets when negative. Imports read the same
 * texts; the cases are in ../internal/spelling/testdata/texts.txt.
 */
export function parseText(text: string, field: FieldPlan): string | undefined {
  let plain = plainOf(text)
  const negative = /^\((.*)\)$/.exec(plain)
  if (negative) plain = `-${negative[1]}`
  const unit = plainOf(textSetting(field, 'unit') ?? '')
  if (unit && plain.endsWith(unit)) plain = plain.slice(0, -unit.length).trim()
  const minus = plain.startsWith('-') ? '-' : ''
  plain = plain.slice(minus.length).trim()
  // Signs of money are of a field of money, or of one without a unit.
  const money = unit === '' || MONEYS.test(unit)
  // Of a field in 万元 nobody can say what 3万 is.
  const counted = /[十百千万亿]/.test(unit)
  const words = numeral(plain.replace(/^(?:rmb|cny|人民币|[¥])\s*/, ''), money)
  if (words && !(counted && /[百佰千仟万萬亿億]/.test(plain))) {
    const exact = canonical(minus + words.digits.replaceAll(',', ''))
    if (exact === null) return undefined
    return words.places === 0 && isPercent(field) ? shift(exact, -2) : shift(exact, words.places)
  }
  if (money) plain = plain.replace(MONEY, '')
  const moved = SHIFTS.find(([word, places]) => plain.endsWith(word) && !(places > 0 && counted))
  if (moved) plain = plain.slice(0, -moved[0].length).trim()
  if (!plain.includes(',')) plain = plain.replaceAll(' ', ',')
  plain = minus + plain
  if (!/\d/.test(plain) || !FORM.test(plain)) return undefined
  const [digits = '', exponent] = plain.replaceAll(',', '').split('e')
  const exact = canonical(exponent === undefined ? digits : shift(digits, Number(exponent)))
  if (exact === null) return undefined
  // What programs copy from a cell of percentages bears the sign; a bare figure is meant as it would be typed here.
  if (moved) return shift(exact, moved[1])
  return isPercent(field) ? shift(exact, -2) : exact
}
