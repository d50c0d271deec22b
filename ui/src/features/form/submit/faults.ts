import type { FormField } from '@/api/types'

export interface ServerFault {
  propertyCode: string
  /** A row's id, or its number ("#3") while it has none; here also the key that a new row has on screen. */
  row?: string
  errcode: number
  errmsg: string
  /** Of a field that the form does not have. */
  name?: string
  name_i18n?: Record<string, string>
}

type Row = { id?: string; key?: string } & Record<string, unknown>
type Values = Record<string, unknown>

const rowsOf = (values: Values, code: string) => (Array.isArray(values[code]) ? (values[code] as Row[]) : [])
export const sheetOf = (fault: ServerFault) => fault.propertyCode.split('.')[0] ?? ''

/** Rows that the server calls by their number get the name that they keep when rows are moved. */
export function withRowKey(fault: ServerFault, values: Values): ServerFault {
  const number = /^#(\d+)$/.exec(fault.row ?? '')?.[1]
  const key = number ? rowsOf(values, sheetOf(fault))[Number(number) - 1]?.key : undefined
  return key ? { ...fault, row: key } : fault
}

export const isRow = (fault: ServerFault, row: { id?: string | undefined; key?: string | undefined; index: number }) =>
  fault.row !== undefined && (fault.row === row.id || fault.row === row.key || fault.row === `#${row.index + 1}`)

/** Where a fault of a sub-table is: the number of its row and the column. */
export function placeOf(
  fault: ServerFault,
  values: Values,
  fields: FormField[],
): { row: number; column?: FormField } | null {
  if (fault.row === undefined) return null
  const index = rowsOf(values, sheetOf(fault)).findIndex((row, i) =>
    isRow(fault, { id: row.id, key: row.key, index: i }),
  )
  if (index < 0) return null
  const [sheet, code] = fault.propertyCode.split('.')
  const column = fields
    .find((field) => field.propertyCode === sheet)
    ?.children?.find((child) => child.propertyCode === code)
  return { row: index + 1, ...(column ? { column } : {}) }
}

/** Whether what a fault speaks of is still as the server saw it. */
export function stays(fault: ServerFault, old: Values, next: Values): boolean {
  const [sheet = '', column] = fault.propertyCode.split('.')
  if (old[sheet] === next[sheet]) return true
  if (fault.row === undefined || column === undefined) return false
  const find = (values: Values) =>
    rowsOf(values, sheet).find((row, i) => isRow(fault, { id: row.id, key: row.key, index: i }))
  const [before, now] = [find(old), find(next)]
  return now !== undefined && (before?.[column] ?? null) === (now[column] ?? null)
}

/** Whether a fault speaks of a value that nobody types, such as a result: what is typed elsewhere may repair it. */
export function ofResult(fault: ServerFault, fields: FormField[]): boolean {
  const [code, column] = fault.propertyCode.split('.')
  const field = fields.find((one) => one.propertyCode === code)
  if (column === undefined) return field?.readOnly === true
  return field?.children?.find((child) => child.propertyCode === column)?.readOnly === true
}
