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

/** Texts of a stored list; anything else in it, or in its place, counts as missing. */
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? [...new Set(value.filter((one): one is string => typeof one === 'string'))] : []

export function readSettings(schemaCode: string, queryCode: string): ColumnSettings {
  const all = readStored<Record<string, unknown>>(optionsKey(schemaCode), isRecord)
  const own: Record<string, unknown> = isRecord(all?.[queryCode]) ? all[queryCode] : {}
  return { order: texts(own.order), hidden: texts(own.hidden), shown: texts(own.shown) }
}

export function writeSettings(schemaCode: string, queryCode: string, settings: ColumnSettings) {
  const all = readStored<Record<string, ColumnSettings>>(optionsKey(schemaCode), isRecord)
  writeStored(optionsKey(schemaCode), { ...all, [queryCode]: settings })
}

/** No column is narrower, whatever was stored. */
export const MIN_WIDTH = 70

export function readWidths(schemaCode: string): Widths {
  const stored = Object.entries(readStored<Record<string, unknown>>(widthsKey(schemaCode), isRecord) ?? {})
  return Object.fromEntries(
    stored.filter((entry): entry is [string, number] => Number.isFinite(entry[1]) && Number(entry[1]) >= MIN_WIDTH),
  )
}

export function writeWidth(schemaCode: string, code: string, width: number) {
  writeStored(widthsKey(schemaCode), { ...readWidths(schemaCode), [code]: width })
}

export const clearWidths = (schemaCode: string) => writeStored(widthsKey(schemaCode), {})

/** Height of rows, in all lists of this browser. */
export type Density = 'compact' | 'comfortable'

const DENSITY = 'list_row_height'
export const ROW_HEIGHTS: Record<Density, number> = { compact: 36, comfortable: 44 }
const isDensity = (value: unknown): value is Density => value === 'compact' || value === 'comfortable'

export const readDensity = (): Density => readStored(DENSITY, isDensity) ?? 'compact'
export const writeDensity = (density: Density) => writeStored(DENSITY, density)

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

/** Shows all columns of a list, or none. */
export function showAll(columns: ColumnPlan[], settings: ColumnSettings, on: boolean): ColumnSettings {
  const codes = (visible: boolean) => columns.filter((one) => one.visible === visible).map((one) => one.propertyCode)
  return { ...settings, hidden: on ? [] : codes(true), shown: on ? codes(false) : [] }
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
