import type { FormField } from '@/api/types'
import { isEmptyValue, isUnread, type TextContext } from '@/sdk/property'
import { resolveProperty } from '@/sdk/resolve'
import type { CellEntry, CellError, CellInput, Condition, FailedRow, HeadColumn, RowEdit, SubRow } from './api'

/** The types whose cells hold people, departments or both. */
const PARTY = new Set([5, 50, 51, 60, 61])
const RELATION = new Set([9, 11])
const OPTION = new Set([12, 13, 14, 15])
const MANY = new Set([5, 11, 13, 15, 51, 61])
/** The platform's widths of columns. */
const WIDE = new Set([1, 5, 8, 9, 10])
export const SHEET = 8
export const INDEX_WIDTH = 46

export const isParty = (wire: number) => PARTY.has(wire)
export const widthOf = (wire: number) => (WIDE.has(wire) ? 252 : 200)

/** A place in the rows: of a record, or in one of its sub-table's rows. */
export interface CellPlace {
  /** Id of the row. */
  row: string
  /** As errors name it: "part", or "items.point" in a sub-table. */
  code: string
  /** In a sub-table: which of the record's rows. */
  sub?: number
}

export const keyOf = ({ row, code, sub }: CellPlace) => `${row}/${code}/${sub ?? ''}`

/** What was corrected and has not been sent, by place. */
export type Edits = ReadonlyMap<string, { place: CellPlace; input: CellInput }>

export const edited = (edits: Edits, place: CellPlace) => edits.get(keyOf(place))?.input

export function edit(edits: Edits, changes: { place: CellPlace; input: CellInput }[]): Edits {
  const next = new Map(edits)
  for (const change of changes) next.set(keyOf(change.place), change)
  return next
}

const split = (code: string): [sheet: string, field: string] => {
  const at = code.indexOf('.')
  return at < 0 ? ['', code] : [code.slice(0, at), code.slice(at + 1)]
}

/** The rows of a sub-table. */
export const subRows = (row: FailedRow, sheet: string): SubRow[] => (row.data[sheet] as SubRow[] | undefined) ?? []

/** What a cell holds now. */
export function inputOf(row: FailedRow, place: CellPlace, edits: Edits): CellInput {
  const now = edited(edits, place)
  if (now !== undefined) return now
  const [sheet, field] = split(place.code)
  if (sheet) return subRows(row, sheet)[place.sub ?? 0]?.[field] ?? ''
  return (row.data[field] as CellInput | undefined) ?? ''
}

/** Where a refused cell is; null = it is the row, or a sub-table as a whole. */
export const placeOf = (row: FailedRow, { propertyCode, row: sub }: CellError): CellPlace | null =>
  propertyCode === '' || (propertyCode.includes('.') && sub == null)
    ? null
    : { row: row.id, code: propertyCode, ...(sub == null ? {} : { sub }) }

/** What is wrong with a cell as the server saw it, unless it was corrected since. */
export function errorOf(row: FailedRow, place: CellPlace, edits: Edits): CellError | undefined {
  if (edited(edits, place) !== undefined) return undefined
  return row.errors.find((one) => one.propertyCode === place.code && (one.row ?? undefined) === place.sub)
}

/** How many cells of a sub-table, or of one of its rows, are still wrong. */
export const errorsWithin = (row: FailedRow, sheet: string, edits: Edits, sub?: number) =>
  row.errors.filter((error) => {
    if (error.propertyCode !== sheet && !error.propertyCode.startsWith(`${sheet}.`)) return false
    if (sub !== undefined && error.row !== sub) return false
    const place = placeOf(row, error)
    return !place || edited(edits, place) === undefined
  }).length

/** What is wrong with the row as a whole. */
export const errorsOfRow = (row: FailedRow) => row.errors.filter((error) => error.propertyCode === '')

/** All columns of a record, those of its sub-tables with their whole codes. */
export function columnsByCode(columns: HeadColumn[]): Map<string, HeadColumn> {
  const all = new Map<string, HeadColumn>()
  for (const column of columns) {
    all.set(column.propertyCode, column)
    for (const child of column.childColumns ?? [])
      all.set(childCode(column, child), { ...child, propertyCode: childCode(column, child) })
  }
  return all
}

export const childCode = (sheet: HeadColumn, child: HeadColumn) =>
  child.propertyCode.startsWith(`${sheet.propertyCode}.`)
    ? child.propertyCode
    : `${sheet.propertyCode}.${child.propertyCode}`

/** Cells of people and departments with an error and without an id: with one of them nothing can be imported. */
export function unresolved(rows: FailedRow[], columns: HeadColumn[], edits: Edits): CellPlace[] {
  const byCode = columnsByCode(columns)
  return rows.flatMap((row) =>
    row.errors.flatMap((error) => {
      const column = byCode.get(error.propertyCode)
      const place = placeOf(row, error)
      if (!column || !place || !isParty(column.propertyType)) return []
      const now = edited(edits, place)
      if (now === undefined) return [place]
      const empty = now.length === 0
      const chosen = typeof now !== 'string' && now.every((entry) => entry.id)
      return empty || chosen ? [] : [place]
    }),
  )
}

/** The corrections as they are sent: cells that changed; a sub-table's is its whole list. */
export function rowEdits(rows: FailedRow[], edits: Edits): RowEdit[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const out = new Map<string, RowEdit>()
  for (const { place, input } of edits.values()) {
    const row = byId.get(place.row)
    if (!row) continue
    const one = out.get(row.id) ?? { id: row.id, data: {} }
    const [sheet, field] = split(place.code)
    if (!sheet) one.data[field] = input
    else
      one.data[sheet] = ((one.data[sheet] as SubRow[] | undefined) ?? subRows(row, sheet)).map((sub, at) =>
        at === place.sub ? ({ ...sub, [field]: input } as SubRow) : sub,
      )
    out.set(row.id, one)
  }
  return [...out.values()]
}

/**
 * The value that an editing control of the column shows for a cell; null for a text that says none by itself. Some types read texts with
 * code that has to be fetched first.
 */
export function valueIn(input: CellInput, column: FormField, context: TextContext): unknown | Promise<unknown> {
  const wire = column.propertyType
  if (typeof input !== 'string') {
    const known = input.filter((entry) => entry.id)
    if (known.length === 0) return null
    if (OPTION.has(wire)) return MANY.has(wire) ? known.map((entry) => entry.id) : known[0]?.id
    return MANY.has(wire) ? known : known[0]
  }
  if (input === '' || PARTY.has(wire) || RELATION.has(wire)) return null
  const { parseText, asks } = resolveProperty(wire)
  if (!parseText) return input
  const unread = () => (asks?.(column) ? { unread: input } : null)
  const read = parseText(input, column, { ...context, find: async () => [], meant: async () => [] })
  return read instanceof Promise ? read.then((value) => value ?? unread(), unread) : (read ?? unread())
}

/** What a cell holds after a control gave it a value. */
export function inputFrom(value: unknown, column: FormField, context: TextContext): CellInput {
  if (isUnread(value)) return value.unread
  if (isEmptyValue(value)) return ''
  const wire = column.propertyType
  if (PARTY.has(wire) || RELATION.has(wire)) {
    const entries = (Array.isArray(value) ? value : [value]) as CellEntry[]
    return entries.map(({ id, name, type, imgUrl }) => ({
      ...(id ? { id } : {}),
      name,
      ...(type === undefined ? {} : { type }),
      ...(imgUrl ? { imgUrl } : {}),
    }))
  }
  const { text, copyText } = resolveProperty(wire)
  if (OPTION.has(wire)) {
    const codes = (Array.isArray(value) ? value : [value]) as string[]
    const one = (code: string) => text(MANY.has(wire) ? [code] : code, column, context)
    return codes.map((code) => ({ id: code, name: one(code) }))
  }
  return (copyText ?? text)(value, column, context)
}

/** A cell in words. */
export const wordsOf = (input: CellInput, locale: TextContext['locale']) =>
  typeof input === 'string' ? input : input.map((entry) => entry.name).join(locale === 'zh' ? '、' : ', ')

/** What a refused row is called while it is not a record: its first two cells that hold something. */
export const rowWords = (data: Record<string, unknown>, columns: HeadColumn[], locale: TextContext['locale']) =>
  columns
    .filter((column) => column.propertyType !== SHEET)
    .map((column) => wordsOf((data[column.propertyCode] as CellInput | undefined) ?? '', locale))
    .filter(Boolean)
    .slice(0, 2)
    .join(' ')

/** What a suggestion that was pressed makes of the cell: it takes the place of the name that was not found. */
export function take(input: CellInput, suggestion: CellEntry, column: FormField): CellInput {
  if (!MANY.has(column.propertyType) || typeof input === 'string') return [suggestion]
  const chosen = input.filter((entry) => entry.id && entry.id !== suggestion.id)
  return [...chosen, suggestion]
}

function holds(words: string, { queryFilterType, propertyValue }: Condition): boolean {
  switch (queryFilterType) {
    case 2:
      return words !== propertyValue
    case 7:
      return words.toLowerCase().includes(propertyValue.toLowerCase())
    case 9:
      return words === ''
    case 10:
      return words !== ''
    default:
      return words === propertyValue
  }
}

/** The cells of a column in the chosen rows of a sub-table that meet the conditions. */
export function placesIn(
  row: FailedRow,
  sheet: HeadColumn,
  lines: ReadonlySet<string>,
  code: string,
  conditions: Condition[],
  edits: Edits,
): CellPlace[] {
  const words = (of: string, sub: number) => {
    const input = inputOf(row, { row: row.id, code: of, sub }, edits)
    return (typeof input === 'string' ? input : input.map((entry) => entry.name).join(';')).trim()
  }
  return subRows(row, sheet.propertyCode).flatMap((_, sub) =>
    lines.has(`${row.id}/${sub}`) && conditions.every((one) => holds(words(one.propertyCode, sub), one))
      ? [{ row: row.id, code, sub }]
      : [],
  )
}
