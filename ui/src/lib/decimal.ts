/**
 * Exact decimal numbers, the one place that computes and writes them: no float touches a figure between the wire and the
 * screen. On the wire they are texts ("12.5"); while computing they are value = unscaled / 10^scale, scale >= 0.
 */
export interface Decimal {
  readonly unscaled: bigint
  readonly scale: number
}

/** A number outside of what expressions hold: more than 24 integer digits. */
export class RangeFault extends Error {}

const INTEGER_DIGITS = 24
const FRACTION_DIGITS = 16
const LIMIT = 10n ** BigInt(INTEGER_DIGITS)
const FORM = /^-?(?:\d+\.?\d*|\.\d+)$/

const power = (n: number): bigint => 10n ** BigInt(n)
const abs = (n: bigint): bigint => (n < 0n ? -n : n)

export function isDecimal(v: unknown): v is Decimal {
  return typeof v === 'object' && v !== null && 'unscaled' in v
}

/** Reads digits with one point; undefined for anything else (no exponents). */
export function parseDecimal(text: string): Decimal | undefined {
  if (!FORM.test(text) || text.replace(/\D/g, '').length > 48) return undefined
  const [whole = '', fraction = ''] = text.split('.')
  try {
    return fit({
      unscaled: BigInt(`${whole === '' || whole === '-' ? `${whole}0` : whole}${fraction}`),
      scale: fraction.length,
    })
  } catch {
    return undefined
  }
}

/** The canonical text: no grouping, no trailing zeros. */
export function formatDecimal(d: Decimal): string {
  const digits = abs(d.unscaled)
    .toString()
    .padStart(d.scale + 1, '0')
  const whole = digits.slice(0, digits.length - d.scale)
  const fraction = digits.slice(digits.length - d.scale).replace(/0+$/, '')
  const text = fraction === '' ? whole : `${whole}.${fraction}`
  return d.unscaled < 0n && text !== '0' ? `-${text}` : text
}

export const integer = (n: number): Decimal => ({ unscaled: BigInt(n), scale: 0 })

function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale)
  return [a.unscaled * power(scale - a.scale), b.unscaled * power(scale - b.scale), scale]
}

export function compare(a: Decimal, b: Decimal): number {
  const [x, y] = aligned(a, b)
  return x < y ? -1 : x > y ? 1 : 0
}

/** Divides integers, half away from zero. */
function divided(a: bigint, b: bigint): bigint {
  const quotient = a / b
  if (2n * abs(a % b) < abs(b)) return quotient
  return a < 0n === b < 0n ? quotient + 1n : quotient - 1n
}

/** Rounds half away from zero; negative places round in front of the point. */
/** Which of two decimal texts of any length is larger, as a sign. */
export function compareTexts(a: string, b: string): number {
  const parts = (text: string) => {
    const [whole = '', fraction = ''] = text.replace(/^[-+]/, '').split('.')
    return { negative: text.startsWith('-'), whole, fraction }
  }
  const [x, y] = [parts(a), parts(b)]
  const places = Math.max(x.fraction.length, y.fraction.length)
  const [m, n] = [x, y].map(({ negative, whole, fraction }) => {
    const size = BigInt(`0${whole}${fraction.padEnd(places, '0')}`)
    return negative ? -size : size
  }) as [bigint, bigint]
  return m < n ? -1 : m > n ? 1 : 0
}

export function round(d: Decimal, places: number): Decimal {
  if (d.scale <= places) return d
  const kept = divided(d.unscaled, power(d.scale - places))
  return places >= 0 ? { unscaled: kept, scale: places } : { unscaled: kept * power(-places), scale: 0 }
}

/** Keeps 16 fraction digits and refuses what is too large. */
export function fit(d: Decimal): Decimal {
  const out = round(d, FRACTION_DIGITS)
  if (abs(out.unscaled) >= LIMIT * power(out.scale)) throw new RangeFault('number out of range')
  return out
}

export function add(a: Decimal, b: Decimal): Decimal {
  const [x, y, scale] = aligned(a, b)
  return fit({ unscaled: x + y, scale })
}

export const negate = (d: Decimal): Decimal => ({ unscaled: -d.unscaled, scale: d.scale })

export const absolute = (d: Decimal): Decimal => ({ unscaled: abs(d.unscaled), scale: d.scale })

export const multiply = (a: Decimal, b: Decimal): Decimal =>
  fit({ unscaled: a.unscaled * b.unscaled, scale: a.scale + b.scale })

/** Quotient with 8 fraction digits; undefined when b is zero. */
export function divide(a: Decimal, b: Decimal): Decimal | undefined {
  if (b.unscaled === 0n) return undefined
  return fit({ unscaled: divided(a.unscaled * power(b.scale + 8), b.unscaled * power(a.scale)), scale: 8 })
}

/** The value as a whole number, when it is one and small. */
export function whole(d: Decimal): number | undefined {
  const text = formatDecimal(d)
  return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** A text in the form of numbers, whatever its size: sign, digits, fraction. The wire form needs no digit before the point. */
const TYPED = /^([-+]?)(\d*)(?:\.(\d*))?$/

function typed(text: string): Decimal | null {
  const match = TYPED.exec(text.trim())
  if (!match || (!match[2] && !match[3])) return null
  const [, sign, whole = '', fraction = ''] = match
  const unscaled = BigInt(whole + fraction)
  return { unscaled: sign === '-' ? -unscaled : unscaled, scale: fraction.length }
}

/** The canonical wire form of what was typed ("007.50" → "7.5"); null when it is not a number. */
export function canonical(text: string): string | null {
  const value = typed(text)
  return value && formatDecimal(value)
}

/** Rounded half away from zero to a scale, with all its decimals; null when the text is not a number. */
export function toScale(text: string, scale: number): string | null {
  const value = typed(text)
  if (!value) return null
  const rounded = formatDecimal(round(value, scale))
  if (scale <= 0) return rounded
  const [whole, fraction = ''] = rounded.split('.')
  return `${whole}.${fraction.padEnd(scale, '0')}`
}

/** The point moved to the right (negative: to the left), for percentages. What is not a number stays as it is. */
export function shift(text: string, places: number): string {
  const value = typed(text)
  if (!value) return text
  const scale = value.scale - places
  return formatDecimal(
    scale >= 0 ? { unscaled: value.unscaled, scale } : { unscaled: value.unscaled * power(-scale), scale: 0 },
  )
}

/** The sum of what is a decimal among the values; null when nothing is. */
export function exactSum(values: unknown[]): string | null {
  const found = values.flatMap((value) => (typeof value === 'string' ? (typed(value) ?? []) : []))
  if (found.length === 0) return null
  const sum = found.reduce((a, b) => {
    const [x, y, scale] = aligned(a, b)
    return { unscaled: x + y, scale }
  })
  return formatDecimal(sum)
}

/** Thousands separators in the whole part; the sign and the fraction stay as they are. */
export function group(text: string): string {
  const [whole = '', fraction] = text.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** The sign as people read it: a true minus. */
export const trueMinus = (text: string) => text.replace(/^-/, '−')

/** Digits, signs and points as Chinese keyboards type them, in their plain forms. */
export function halfWidth(text: string): string {
  return text
    .replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/[．。]/g, '.')
    .replace(/[－−]/g, '-')
    .replace(/，/g, ',')
    .replace(/％/g, '%')
}
