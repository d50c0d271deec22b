import { useCallback, useEffect, useState } from 'react'
import type { FormField } from '@/api/types'
import type { AskedPlace } from '@/sdk/errors'
import type { SaidFault } from '../fields/validator'
import type { RecordController } from '../record/use-record'
import type { Values } from '../rules/values'
import { placeOf, type ServerFault, sheetOf } from './faults'

/** What is wrong with a field, as the form's own check says it. */
export type ShownIssue = SaidFault

const NONE: ShownIssue[] = []

/** How many fields stand in the way of a save: by the form's own check, by what the server and the script said. */
export const faultyFields = (found: ShownIssue[], said: RecordController['extraErrors']): number =>
  new Set([...found.map(({ code }) => code), ...Object.keys(said)]).size

const keyOf = ({ code, row, column }: AskedPlace) => [code, row ?? '', column ?? ''].join('/')

/** The places that stand in the way of a save, each once: cells of sub-tables by row and column, fields in the order of the form. */
export function faultyPlaces(
  found: ShownIssue[],
  record: Pick<RecordController, 'extraErrors'> & { faults: ServerFault[] },
  fields: FormField[],
  values: Values,
): AskedPlace[] {
  const own = found.flatMap(({ code, cells }): AskedPlace[] =>
    cells ? cells.map((cell) => ({ code, ...cell })) : [{ code }],
  )
  const refused = record.faults.map((fault): AskedPlace => {
    const code = sheetOf(fault)
    const place = placeOf(fault, values, fields)
    if (!place) return { code }
    return { code, row: place.row - 1, ...(place.column ? { column: place.column.propertyCode } : {}) }
  })
  const places = [...own, ...refused]
  const named = new Set(places.map(({ code }) => code))
  for (const code of Object.keys(record.extraErrors)) if (!named.has(code)) places.push({ code })
  const order = new Map(fields.map((field, index) => [field.propertyCode, index]))
  const once = new Map(places.map((place) => [keyOf(place), place]))
  return [...once.values()]
    .filter(({ code }) => order.has(code))
    .sort((a, b) => (order.get(a.code) ?? 0) - (order.get(b.code) ?? 0) || (a.row ?? 0) - (b.row ?? 0))
}

const same = (a: ShownIssue[], b: ShownIssue[]) =>
  a.length === b.length &&
  a.every(({ code, message, cells }, i) => {
    const other = b[i]
    return code === other?.code && message === other.message && JSON.stringify(cells) === JSON.stringify(other.cells)
  })

/** What the form's own check finds, from the first save that it refused on: it follows what is typed. */
export function useFormFaults(editing: boolean) {
  const [found, setFound] = useState(NONE)
  const note = useCallback((next: ShownIssue[]) => setFound((old) => (same(old, next) ? old : next)), [])
  // Anyone who begins to edit again has not been refused anything.
  useEffect(() => {
    if (!editing) note(NONE)
  }, [editing, note])
  return { found, note }
}
