import { capitals } from '@/lib/capitals'
import { formatDate } from '@/lib/dates'
import {
  compareTexts,
  divide,
  exactSum,
  formatDecimal,
  group,
  parseDecimal,
  shift,
  toScale,
  trueMinus,
} from '@/lib/decimal'
import type { TextContext } from '@/sdk/property'
import type { DataSet, GroupValue, Measure, Row } from './api'

const NUMBER = /^-?\d*\.?\d+$/
const DAY = /^\d{4}-\d\d-\d\d/
/** Decimals of quotients whose author names no scale: theirs do not end. */
const QUOTIENT = 2

export const isPercent = (measure: Measure) => measure.displayFormat === 'percent'

const isQuotient = ({ sumType }: Measure) => sumType === 'ratio' || sumType === 'compare' || sumType === 'average'

const trimmed = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** A figure without its unit; no digit of it passes through a float. */
export function figureText(value: string, measure: Measure, context: TextContext): string {
  if (!NUMBER.test(value)) {
    return DAY.test(value) ? formatDate(value, value.includes('T') ? 'yyyy-MM-dd HH:mm' : null, context) : value
  }
  if (measure.displayFormat === 'capitals') return capitals(value)
  const percent = isPercent(measure)
  const text = percent ? shift(value, 2) : value
  const { scale } = measure
  const places = scale === null ? (isQuotient(measure) ? QUOTIENT : null) : percent ? Math.max(scale - 2, 0) : scale
  const rounded = places === null ? trimmed(text) : (toScale(text, places) ?? text)
  const exact = scale === null ? trimmed(rounded) : rounded
  return `${trueMinus(measure.displayFormat === 'plain' ? exact : group(exact))}${percent ? '%' : ''}`
}

/** A figure as people read it; of none a dash. */
export function measureText(value: string | null | undefined, measure: Measure, context: TextContext): string {
  if (value === null || value === undefined) return '–'
  const text = figureText(value, measure, context)
  return measure.unit ? `${text} ${measure.unit}` : text
}

/** Only for what is drawn: where a point is, how long a bar. */
export function geometry(value: string | null | undefined): number | null {
  if (value === null || value === undefined) return null
  const number = NUMBER.test(value) ? Number(value) : Date.parse(value)
  return Number.isFinite(number) ? number : null
}

/** One group value as a key of maps. */
export const keyOf = ({ value, others }: GroupValue): string => (others ? 'o' : value === null ? 'n' : `v${value}`)

export const keysOf = (values: GroupValue[]): string => JSON.stringify(values.map(keyOf))

/** Values of a group in their order, which rows of other groups need not have. The first group has that of the rows. */
export const inOrder = <T extends { value: GroupValue }>(all: T[]): T[] =>
  [...all].sort((a, b) => (a.value.rank ?? 0) - (b.value.rank ?? 0))

/** Which sign a comparison has where a value is better than the one before. */
const extremes = { minimum: -1, maximum: 1 } as const

function extreme(values: string[], sign: number): string | null {
  const least = (a: string, b: string) => (NUMBER.test(a) && NUMBER.test(b) ? compareTexts(a, b) : a < b ? -1 : 1)
  return values.reduce<string | null>((best, one) => (best === null || least(one, best) * sign > 0 ? one : best), null)
}

/**
 * The figure of several rows of a data set together; undefined where it does not follow from theirs, as distinct counts. A ratio is that of its
 * totals, and an average that of all values.
 */
export function combine(rows: Row[], at: number, set: DataSet): string | null | undefined {
  const measure = set.measures[at]
  if (!measure) return undefined
  if (rows.length <= 1) return rows[0]?.values[at] ?? null
  const values = rows.flatMap((row) => row.values[at] ?? [])
  if (measure.sumType === 'sum' || measure.sumType === 'count') return exactSum(values)
  if (measure.sumType === 'minimum' || measure.sumType === 'maximum') return extreme(values, extremes[measure.sumType])
  if (measure.sumType === 'ratio') return ratio(rows, measure, set)
  if (measure.sumType === 'average') return average(rows, at)
  return undefined
}

/** Of what the averages are made of, and never of averages; undefined where that is not known. */
function average(rows: Row[], at: number): string | null | undefined {
  const means = rows.flatMap(({ means }) => means?.[at] ?? [])
  if (means.length < rows.length) return undefined
  const count = means.reduce((sum, mean) => sum + mean.count, 0)
  return quotient(exactSum(means.map(({ sum }) => sum)), String(count))
}

function ratio(rows: Row[], { numerator, denominator }: Measure, set: DataSet): string | null | undefined {
  const total = (code: string | undefined) => {
    const at = set.measures.findIndex((one) => one.code === code)
    // A ratio of ratios does not follow from rows.
    return at < 0 || set.measures[at]?.sumType === 'ratio' ? undefined : combine(rows, at, set)
  }
  const [above, below] = [total(numerator), total(denominator)]
  if (above === undefined || below === undefined) return undefined
  return quotient(above, below)
}

/** One decimal text divided by another; null where there is none. */
export function quotient(above: string | null, below: string | null): string | null {
  const [a, b] = [parseDecimal(above ?? ''), parseDecimal(below ?? '')]
  const result = a && b && divide(a, b)
  return result ? formatDecimal(result) : null
}

/** A part of a whole in percent, for notes beside an exact figure. */
export function shareText(part: string | null, whole: string | null): string {
  const share = quotient(part, whole)
  return share === null ? '' : `${trueMinus(toScale(shift(share, 2), 1) ?? '')}%`
}
