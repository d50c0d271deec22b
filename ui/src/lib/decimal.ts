/** Exact decimal numbers: value = unscaled / 10^scale, scale >= 0. */
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
