import { canonical, type FieldPlan, halfWidth, shift, textSetting } from '@sluice/sdk'
import { isPercent } from './format'

/** Signs of money that stand before or behind figures in other programs. */
const MONEY = /[¥￥$€£]/g

/** A plain number, or thousands in threes. Anything else with commas could mean two things. */
const FORM = /^[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:[eE][-+]?\d{1,2})?$/

/** The exact number that a text says: with separators, a unit, a sign of money, in hundredths, in brackets when negative. */
export function parseText(text: string, field: FieldPlan): string | undefined {
  let plain = halfWidth(text)
    .replace(/[\s\u00a0]/g, '')
    .replace(MONEY, '')
  const unit = textSetting(field, 'unit')?.replace(/\s/g, '')
  if (unit && plain.endsWith(unit)) plain = plain.slice(0, -unit.length)
  const hundredths = plain.endsWith('%')
  if (hundredths) plain = plain.slice(0, -1)
  const negative = /^\((.*)\)$/.exec(plain)
  if (negative) plain = `-${negative[1]}`
  if (!/\d/.test(plain) || !FORM.test(plain)) return undefined
  const [digits = '', exponent] = plain.replaceAll(',', '').split(/e/i)
  const exact = canonical(exponent === undefined ? digits : shift(digits, Number(exponent)))
  if (exact === null) return undefined
  // What programs copy from a cell of percentages bears the sign; a bare figure is meant as it would be typed here.
  return hundredths || isPercent(field) ? shift(exact, -2) : exact
}
