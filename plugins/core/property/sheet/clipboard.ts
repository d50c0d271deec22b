import { canonical, type FormField, isUnread, resolveProperty, type TextContext, valueText } from '@sluice/sdk'
import { rangeOf, type Selection } from './range'
import { isNothing, type SheetRow } from './rows'
import { writeTsv } from './tsv'

const digits = (text: string) => canonical(text.replace('−', '-').replace(/[^\d.-]/g, ''))

/** A value that is wrong, as it was entered where its usual text rounds it: rounded it could look right. */
export function wrongText(value: unknown, column: FormField, context: TextContext): string {
  const [shown, entered] = [valueText(value, column, context), copyText(value, column, context)]
  return digits(shown) === digits(entered) ? shown : entered
}

/** A range as it was copied: its text, and the values, which say more than the text. */
export interface Copied {
  text: string
  types: number[]
  values: unknown[][]
}

/** One value as other programs read it. */
export function copyText(value: unknown, column: FormField, context: TextContext): string {
  if (isNothing(value)) return ''
  if (isUnread(value)) return valueText(value, column, context)
  return resolveProperty(column.propertyType).copyText?.(value, column, context) ?? valueText(value, column, context)
}

export function copyRange(rows: SheetRow[], columns: FormField[], selection: Selection, context: TextContext): Copied {
  const { top, bottom, left, right } = rangeOf(selection)
  const taken = columns.slice(left, right + 1)
  const values = rows.slice(top, bottom + 1).map((row) => taken.map((column) => row[column.propertyCode] ?? null))
  const texts = values.map((row) => row.map((value, i) => copyText(value, taken[i] as FormField, context)))
  return { text: writeTsv(texts), types: taken.map((column) => column.propertyType), values }
}
