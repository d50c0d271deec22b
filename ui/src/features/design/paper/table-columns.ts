import type { PrintProperty } from './api'

// What the columns of a generated table are like: how wide, and whether a total below them means something.

/** The width of a character of a head in millimeters, and what is beside it. */
const HAN = 3.7
const LATIN = 2
const PADDING = 3

/** The column that numbers the rows (runtime/printing). */
const ORDINAL = 12

/** Widths by type in millimeters, before they share the room of a table. */
const WIDTHS: Record<string, number> = {
  Number: 24,
  Date: 24,
  Time: 18,
  Logic: 12,
  StaffSingle: 20,
  ShortText: 32,
  LongText: 50,
  Address: 50,
}
const OTHER = 28

const NARROWEST = 10
const WIDEST_HEAD = 36

const headWidth = (text: string) => [...text].reduce((sum, one) => sum + (one > '\u2e7f' ? HAN : LATIN), PADDING)

/** Names of what is per something: a sum of unit rates, percentages or averages says nothing. */
const RATE =
  /单价|均价|价格|费率|税率|率$|比例|比值|占比|百分|系数|平均|指标|强度|密度|温度|高程|标高|rate|price|ratio|percent|factor|coefficient|average|strength|density|elevation/i
const RATE_UNIT = /[/%‰℃°]|每|per\b|MPa|kPa/i
const MONEY = /(元|圆|CNY|USD|EUR|RMB|¥|\$)$/i
const AMOUNT = /金额|合价|总价|合计|小计|费用?$|税额|款$|应付|已付|实付|amount|cost|total|payable|paid|fee/i
const QUANTITY = /数量|工程量|件数|个数|次数|体积|面积|长度|重量|方量|quantity|volume|area|weight|length|count/i
const UNIT = /^(计量)?单位$|^unit( of measure(ment)?)?$/i

const names = (of: PrintProperty) => [of.label.zh, of.label.i18n?.en ?? '']
const named = (of: PrintProperty, words: RegExp) => names(of).some((name) => words.test(name))

/**
 * Whether values of a column can be added: amounts of money, and quantities where all rows have one unit. Unit rates, percentages and readings are
 * not, nor are quantities beside a column of units. Who wants another total says so in the designer.
 */
export function addable(column: PrintProperty, all: PrintProperty[]): boolean {
  if (!column.number || !column.sums.includes('sum')) return false
  if (named(column, RATE) || RATE_UNIT.test(column.unit)) return false
  if (MONEY.test(column.unit) || named(column, AMOUNT)) return true
  const mixed = all.some((one) => !one.number && named(one, UNIT))
  return !mixed && named(column, QUANTITY)
}

/** Widths in millimeters that fill the room of a table, by the types of its columns and what their heads say; the last column takes what is left. */
export function widths(columns: PrintProperty[], room: number): (number | undefined)[] {
  const wanted = columns.map((one) =>
    Math.max(WIDTHS[one.propertyType] ?? OTHER, Math.min(headWidth(one.label.zh), WIDEST_HEAD)),
  )
  const share = (room - ORDINAL) / wanted.reduce((sum, one) => sum + one, 0)
  return wanted.map((one, i) =>
    i === wanted.length - 1 ? undefined : Math.max(NARROWEST, Math.floor(one * share * 2) / 2),
  )
}
