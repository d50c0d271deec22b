import type { ColumnPlan } from '@/api/types'
import { readStored, writeStored } from '@/lib/stored'

/** What a person made of a list's columns; codes that the list no longer has are ignored. */
export interface ColumnSettings {
  order: string[]
  hidden: string[]
  /** Shown by hand although the definition hides them. */
  shown: string[]
}

export type Widths = Record<string, number>

const isRecord = (value: unknown): value is Record<string, never> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const optionsKey = (schemaCode: string) => `${schemaCode}_columns_options`
const widthsKey = (schemaCode: string) => `${schemaCode}_width_records`

const none: ColumnSettings = { order: [], hidden: [], shown: [] }

export function readSettings(schemaCode: string, queryCode: string): ColumnSettings {
  const all = readStored<Record<string, ColumnSettings>>(optionsKey(schemaCode), isRecord)
  return { ...none, ...all?.[queryCode] }
}

export function writeSettings(schemaCode: string, queryCode: string, settings: ColumnSettings) {
  const all = readStored<Record<string, ColumnSettings>>(optionsKey(schemaCode), isRecord)
  writeStored(optionsKey(schemaCode), { ...all, [queryCode]: settings })
}

export const readWidths = (schemaCode: string): Widths => readStored<Widths>(widthsKey(schemaCode), isRecord) ?? {}

export function writeWidth(schemaCode: string, code: string, width: number) {
  writeStored(widthsKey(schemaCode), { ...readWidths(schemaCode), [code]: width })
}

export const clearWidths = (schemaCode: string) => writeStored(widthsKey(schemaCode), {})

/** All columns in the person's order; ones the order does not know keep the place the definition gives them. */
export function orderColumns(columns: ColumnPlan[], { order }: ColumnSettings): ColumnPlan[] {
  const known = order.filter((code) => columns.some((column) => column.propertyCode === code))
  const result = known.map((code) => columns.find((column) => column.propertyCode === code) as ColumnPlan)
  for (const [index, column] of columns.entries()) {
    if (!known.includes(column.propertyCode)) result.splice(Math.min(index, result.length), 0, column)
  }
  return result
}

export const isShown = (column: ColumnPlan, { hidden, shown }: ColumnSettings) =>
  column.visible ? !hidden.includes(column.propertyCode) : shown.includes(column.propertyCode)

export function toggleColumn(column: ColumnPlan, settings: ColumnSettings): ColumnSettings {
  const code = column.propertyCode
  const list = column.visible ? 'hidden' : 'shown'
  const has = settings[list].includes(code)
  return { ...settings, [list]: has ? settings[list].filter((other) => other !== code) : [...settings[list], code] }
}

/** Moves a column to a place among all columns. */
export function moveColumn(columns: ColumnPlan[], settings: ColumnSettings, code: string, to: number): ColumnSettings {
  const order = orderColumns(columns, settings).map((column) => column.propertyCode)
  const from = order.indexOf(code)
  if (from < 0) return settings
  order.splice(from, 1)
  order.splice(Math.max(0, Math.min(to, order.length)), 0, code)
  return { ...settings, order }
}
