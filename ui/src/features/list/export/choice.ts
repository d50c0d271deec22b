import { type Locale, localName } from '@/lib/local-name'
import type { ExportColumn, ExportField } from './api'

/** A field that is in the file; of a sub-table, with the columns that are chosen of it. */
export interface Chosen {
  code: string
  children: string[]
}

/** The specification's numbers of the sources: everything, what the list shows, what was exported last. */
export type Source = 0 | 1 | 2

const isSheet = (field: ExportField) => field.childColumns.length > 0
const whole = (field: ExportField, some: (child: ExportField) => boolean): Chosen => ({
  code: field.propertyCode,
  children: field.childColumns.filter(some).map((child) => child.propertyCode),
})
const byPlace = (a: ExportField, b: ExportField) => a.listed - b.listed

/** The first source: what was exported last, where there is such a thing. */
export const firstSource = (last: ExportColumn[] | null): Source => (last ? 2 : 1)

/** The fields of a source. Attachments are taken only when somebody chooses them, or did so the last time. */
export function chosenOf(fields: ExportField[], source: Source, last: ExportColumn[] | null): Chosen[] {
  if (source === 2 && last) {
    return last.flatMap((column) => {
      const field = fields.find((one) => one.propertyCode === column.propertyCode)
      if (!field) return []
      const children = (column.childColumns ?? []).map((child) => child.propertyCode)
      const kept = children.filter((code) => field.childColumns.some((child) => child.propertyCode === code))
      if (isSheet(field) && kept.length === 0) return [whole(field, (child) => child.usual)]
      return [{ code: field.propertyCode, children: kept }]
    })
  }
  const usual = fields.filter((field) => field.usual)
  if (source === 0)
    return usual.map((field) => whole(field, (child) => child.usual)).filter((one) => notBare(usual, one))
  const listed = usual.filter((field) => field.listed > 0).sort(byPlace)
  return listed
    .map((field) => ({
      code: field.propertyCode,
      children: field.childColumns
        .filter((child) => child.usual && child.listed > 0)
        .sort(byPlace)
        .map((child) => child.propertyCode),
    }))
    .filter((one) => notBare(listed, one))
}

/** A sub-table without a column is nothing. */
const notBare = (fields: ExportField[], { code, children }: Chosen) => {
  const field = fields.find((one) => one.propertyCode === code)
  return field !== undefined && (!isSheet(field) || children.length > 0)
}

const without = (chosen: Chosen[], code: string) => chosen.filter((one) => one.code !== code)

/** Takes a field of the main table, or leaves it out. */
export function toggleField(chosen: Chosen[], code: string): Chosen[] {
  return chosen.some((one) => one.code === code) ? without(chosen, code) : [...chosen, { code, children: [] }]
}

/**
 * Takes a column of a sub-table, or leaves it out. With the first column its sub-table is chosen, with each it moves to the end of the
 * list; with the last one it goes.
 */
export function toggleChild(fields: ExportField[], chosen: Chosen[], sheet: string, child: string): Chosen[] {
  const now = chosen.find((one) => one.code === sheet)?.children ?? []
  if (now.includes(child)) {
    const rest = now.filter((code) => code !== child)
    if (rest.length === 0) return without(chosen, sheet)
    return chosen.map((one) => (one.code === sheet ? { code: sheet, children: rest } : one))
  }
  return [...without(chosen, sheet), { code: sheet, children: inOrder(fields, sheet, [...now, child]) }]
}

/** Columns of a sub-table stand as they do in the sub-table. */
const inOrder = (fields: ExportField[], sheet: string, codes: string[]) => {
  const field = fields.find((one) => one.propertyCode === sheet)
  return (field?.childColumns ?? []).map((child) => child.propertyCode).filter((code) => codes.includes(code))
}

/** Takes a whole sub-table, or leaves it out. */
export function toggleSheet(chosen: Chosen[], field: ExportField): Chosen[] {
  const { propertyCode } = field
  if (stateOf(chosen, field) === 'all') return without(chosen, propertyCode)
  return [...without(chosen, propertyCode), whole(field, () => true)]
}

/** Takes some fields of the main table, or leaves them out when all of them are taken. */
export function toggleMain(chosen: Chosen[], fields: ExportField[]): Chosen[] {
  const main = fields.filter((field) => !isSheet(field)).map((field) => field.propertyCode)
  const has = new Set(chosen.map((one) => one.code))
  if (main.every((code) => has.has(code))) return chosen.filter((one) => !main.includes(one.code))
  return [...chosen, ...main.filter((code) => !has.has(code)).map((code) => ({ code, children: [] }))]
}

export type Checked = 'none' | 'some' | 'all'

/** A sub-table is checked only when all its columns are. */
export function stateOf(chosen: Chosen[], field: ExportField): Checked {
  const one = chosen.find(({ code }) => code === field.propertyCode)
  if (!one) return 'none'
  return !isSheet(field) || one.children.length === field.childColumns.length ? 'all' : 'some'
}

export function mainState(chosen: Chosen[], fields: ExportField[]): Checked {
  const main = fields.filter((field) => !isSheet(field))
  const taken = main.filter((field) => stateOf(chosen, field) === 'all').length
  return taken === 0 ? 'none' : taken === main.length ? 'all' : 'some'
}

export function moved(chosen: Chosen[], code: string, to: number): Chosen[] {
  const one = chosen.find((other) => other.code === code)
  if (!one) return chosen
  const rest = without(chosen, code)
  const at = Math.max(0, Math.min(rest.length, to))
  return [...rest.slice(0, at), one, ...rest.slice(at)]
}

/** How many columns the file has. */
export const countOf = (chosen: Chosen[]) => chosen.reduce((sum, { children }) => sum + Math.max(1, children.length), 0)

/** What a chosen field is called, with the columns that are chosen of a sub-table. */
export function nameOf(fields: ExportField[], { code, children }: Chosen, locale: Locale): string {
  const field = fields.find((one) => one.propertyCode === code)
  if (!field) return code
  const name = localName(field, locale)
  if (!isSheet(field)) return name
  const names = children.flatMap((one) => field.childColumns.filter((child) => child.propertyCode === one))
  const list = names.map((child) => localName(child, locale)).join(locale === 'en' ? ', ' : '、')
  return locale === 'en' ? `${name}: ${list}` : `${name}：${list}`
}

const columnOf = (field: ExportField): ExportColumn => ({
  propertyCode: field.propertyCode,
  name: field.name,
  name_i18n: JSON.stringify(field.name_i18n),
  propertyType: field.propertyType,
  displayFormat: field.displayFormat,
})

/** The chosen fields as the call wants them. */
export function columnsOf(fields: ExportField[], chosen: Chosen[]): ExportColumn[] {
  return chosen.flatMap(({ code, children }) => {
    const field = fields.find((one) => one.propertyCode === code)
    if (!field) return []
    const inner = children
      .flatMap((one) => field.childColumns.filter((child) => child.propertyCode === one))
      .map(columnOf)
    return [{ ...columnOf(field), childColumns: inner }]
  })
}
