import { type Item, inTolerance, readNumbers } from './readings'

/** The design value as a number; '' where there is none, null for what can't be read as a number. */
export function designOf(text: string): string | null {
  if (text.trim() === '') return ''
  const numbers = readNumbers(text)
  return numbers?.length === 1 ? (numbers[0] ?? null) : null
}

/** Whether a point passes; null while its design value can't be read. */
export function passes(item: Item, design: string, value: string): boolean | null {
  const number = designOf(design)
  return number === null ? null : inTolerance(item, number, value)
}

/** The passed points of an item. */
export const passed = (item: Item, design: string, values: readonly string[]) =>
  values.filter((value) => passes(item, design, value) === true).length
