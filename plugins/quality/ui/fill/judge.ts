import { type Item, inTolerance, readNumbers } from './readings'

/** The design value as a number; '' where there is none, null for what can't be read as a number. */
export function designOf(text: string): string | null {
  if (text.trim() === '') return ''
  const numbers = readNumbers(text)
  return numbers?.length === 1 ? (numbers[0] ?? null) : null
}

/**
 * Whether a point passes; null while its design value can't be read, and where points are judged together: of degrees of compaction the rule set
 * says how far one may be below the standard. A group of specimens passes that reaches the grade.
 */
export function passes(item: Item, design: string, value: string): boolean | null {
  const number = designOf(design)
  if (number === null) return null
  if (!item.method.startsWith('STAT')) return inTolerance(item, number, value)
  return item.method === 'STAT_STRENGTH' && number !== '' ? Number(value) >= Number(number) : null
}

/** The passed points of an item. */
export const passed = (item: Item, design: string, values: readonly string[]) =>
  values.filter((value) => passes(item, design, value) === true).length

/** As many times the tolerance or the limit nobody measures, nor as many times a strength or degree: it is a slip of the finger or another unit. */
const FAR = 10
const FAR_OF_DESIGN = 2

/** Whether a reading is so far from what is looked for that somebody should look again. Where nothing bounds it, it is not known. */
export function absurd(item: Item, design: string, value: string): boolean {
  const wanted = designOf(design)
  if (item.method === 'YESNO' || wanted === null) return false
  const reading = Number(value)
  const { devLow, devHigh, limitLow, limitHigh } = item
  const tolerance = Math.max(Math.abs(Number(devLow ?? 0)), Math.abs(Number(devHigh ?? 0)))
  if (tolerance > 0) return Math.abs(reading - Number(wanted)) > FAR * tolerance
  const statistics = item.method.startsWith('STAT')
  const times = statistics ? FAR_OF_DESIGN : FAR
  const [low, high] = statistics ? [wanted, wanted] : [limitLow, limitHigh]
  return (Number(high) > 0 && reading > times * Number(high)) || (Number(low) > 0 && reading < Number(low) / times)
}
