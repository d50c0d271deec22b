import type { FormField } from '@sluice/sdk'

/** A row on the wire; rows that are not saved yet have no id, and `key` tells them apart on screen. */
export interface SheetRow {
  id?: string
  key?: string
  [code: string]: unknown
}

/** New values of one row, by column code. */
export interface Edit {
  key: string
  values: Record<string, unknown>
}

let made = 0
export const newKey = () => `new-${++made}`
export const keyOf = (row: SheetRow, index: number) => row.id ?? row.key ?? `row-${index}`

export const newRow = (begun: Record<string, unknown> = {}): SheetRow => ({ ...begun, key: newKey() })

/** Rows that have neither id nor key (a record that began as a copy) get one, so that they can be told apart. */
export function keyed(rows: SheetRow[]): SheetRow[] {
  return rows.every((row) => row.id ?? row.key)
    ? rows
    : rows.map((row) => (row.id || row.key ? row : { ...row, key: newKey() }))
}

/** The rows from..to (both included) one place up or down, or to another place; the others keep their order. */
export function moveRows(rows: SheetRow[], from: number, to: number, target: number): SheetRow[] {
  const moved = rows.slice(from, to + 1)
  const rest = [...rows.slice(0, from), ...rows.slice(to + 1)]
  const at = Math.max(0, Math.min(target, rest.length))
  return [...rest.slice(0, at), ...moved, ...rest.slice(at)]
}

export const insertRows = (rows: SheetRow[], at: number, added: SheetRow[]): SheetRow[] => [
  ...rows.slice(0, at),
  ...added,
  ...rows.slice(at),
]

export const removeRows = (rows: SheetRow[], from: number, to: number): SheetRow[] => [
  ...rows.slice(0, from),
  ...rows.slice(to + 1),
]

/** Copies are rows of their own. */
export const copies = (rows: SheetRow[]): SheetRow[] =>
  rows.map(({ id: _, ...values }) => ({ ...values, key: newKey() }))

/** Writes cells. What is the same already leaves its row, and then all rows, untouched. */
export function writeCells(rows: SheetRow[], edits: Edit[]): SheetRow[] {
  const byKey = new Map<string, Record<string, unknown>>()
  for (const { key, values } of edits) byKey.set(key, { ...byKey.get(key), ...values })
  let changed = false
  const next = rows.map((row, index) => {
    const values = byKey.get(keyOf(row, index))
    if (!values || Object.entries(values).every(([code, value]) => (row[code] ?? null) === value)) return row
    changed = true
    return { ...row, ...values }
  })
  return changed ? next : rows
}

/** Whether nobody wrote into a row: what can be written in it is empty, or in a new row what it began with. */
export const isBlank = (row: SheetRow, columns: FormField[], begun: Record<string, unknown>) =>
  columns.every(({ propertyCode: code, readOnly }) => {
    const value = row[code]
    return readOnly || isNothing(value) || (!row.id && JSON.stringify(value) === JSON.stringify(begun[code]))
  })

export const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
