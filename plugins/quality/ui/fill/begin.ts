import { ApiError, ERROR, get, type Row, readStored } from '@sluice/sdk'
import { codes } from '../codes'
import { waitsFor } from '../node/process-list'
import {
  type Ask,
  authorityQuery,
  cell,
  nodeQuery,
  processesQuery,
  QUALITY,
  recordQuery,
  refOf,
  rowsQuery,
  sheetsQuery,
} from '../shared/api'
import { type DueList, dueQuery } from '../shared/due'
import { itemOfDue, openItems } from './due-entries'
import { type Item, readings } from './readings'

export interface Entry {
  itemId: string
  design: string
  values: string[]
  /** Why an item is inspected that is not due; missing for due ones. */
  reason?: string
}

/** What is typed of a record; it is what waits in the browser. */
export interface Draft {
  token: string
  /** Under which its photographs are kept; a draft that was begun before there was such a place has none. */
  files?: string
  kind: string
  part: string
  date: string
  remark: string
  entries: Entry[]
}

const itemOfRow = (row: Row): Item => ({
  id: row.id,
  name: cell(row, codes.itemName),
  itemClass: cell(row, codes.itemClass),
  method: cell(row, codes.evalMethod),
  unit: cell(row, codes.unit),
  devLow: cell(row, codes.devLow) || null,
  devHigh: cell(row, codes.devHigh) || null,
  limitLow: cell(row, codes.limitLow) || null,
  limitHigh: cell(row, codes.limitHigh) || null,
  minPoints: Number(cell(row, codes.minPoints) || 1),
})

/** The readings of a row of an earlier inspection, as they would be typed. */
const typedOf = (row: Record<string, unknown>) => {
  const of = (code: string) => String(row[code] ?? '')
  return readings(of(codes.values), of(codes.evalMethod), of(codes.unit)) ?? []
}

/** Where what is due is hidden from somebody, they fill in what fits the kind of work. */
function hiddenDue(error: unknown): null {
  if (error instanceof ApiError && error.code === ERROR.Forbidden) return null
  throw error
}

/** The items of the library, those that are due as they are asked at the node. */
function allItems(library: Item[], due: DueList | null): Item[] {
  const asked = new Map((due?.items ?? []).map((one) => [one.itemId, itemOfDue(one)]))
  const known = new Set(library.map(({ id }) => id))
  return [...library.map((one) => asked.get(one.id) ?? one), ...[...asked.values()].filter(({ id }) => !known.has(id))]
}

/** The entries that a new record of a kind begins with. */
export function firstEntries(begun: Begun, kind: string): Entry[] {
  const design = (id: string, due: string | null = null) => due ?? (begun.lastOf.get(id)?.design || lastDesign(id))
  if (!begun.due || begun.due.items.length === 0)
    return begun.fitting.map(({ id }) => ({ itemId: id, design: design(id), values: [] }))
  return openItems(begun.due, kind).map(({ itemId, designValue }) => ({
    itemId,
    design: design(itemId, designValue),
    values: [],
  }))
}

/** All that a new inspection begins with: where it is, what is checked there, and what was read there last. */
export const beginQuery = (nodeId: string, bizId: string) => ({
  queryKey: [QUALITY, 'begin', nodeId, bizId] as const,
  queryFn: async (ask: Ask) => {
    const [node, record, processes, sheets, items, may, due, last] = await Promise.all([
      nodeQuery(nodeId).queryFn(ask),
      recordQuery(codes.node, nodeId).queryFn(ask),
      processesQuery(nodeId).queryFn(ask),
      sheetsQuery(nodeId).queryFn(ask),
      rowsQuery(codes.checkItem, { size: 500 }).queryFn(ask),
      authorityQuery(nodeId).queryFn(ask),
      dueQuery(nodeId).queryFn(ask).catch(hiddenDue),
      rowsQuery(codes.record, {
        filters: [{ propertyCode: codes.qbsId, propertyValue: nodeId }],
        orderBy: codes.checkDate,
        down: true,
        size: 1,
      }).queryFn(ask),
    ])
    const sheet = [...processes.flatMap(({ biz }) => biz), ...sheets].find(({ id }) => id === bizId)
    const template = refOf(record.data[codes.jbsTemplateId])
    const [kind] = template ? await rowsQuery(codes.library, { ids: [template] }).queryFn(ask) : []
    const type = cell(kind, codes.qbsType)
    const fitting = items.filter((row) => cell(row, codes.qbsType) === type && type !== '')
    const before = last[0]
      ? await get('/api/runtime/form/load', { schemaCode: codes.record, objectId: last[0].id }, { signal: ask.signal })
      : null
    const rows = (before?.data[codes.items] ?? []) as Record<string, unknown>[]
    const process = processes.find(({ biz }) => biz.some(({ id }) => id === bizId))
    return {
      node,
      sheet,
      /** The kinds of record that the person makes here. */
      kinds: may.kinds ?? [],
      /** The last round failed, and nobody has reported its repair: the next one cannot begin yet. */
      repairs: record.data[codes.conclusion] === 'NOT_OK' && record.data[codes.ncrState] === 'OPEN',
      /** The names of what comes before it, where it cannot begin yet. */
      waits: process?.status === 'LOCKED' ? waitsFor(process, processes) : null,
      all: allItems(items.map(itemOfRow), due),
      fitting: fitting.map(itemOfRow),
      /** What is due; null where nothing is set, or the caller may not know. */
      due: due?.set ? due : null,
      lastOf: new Map(
        rows.map((row) => [
          refOf(row[codes.itemId]),
          { design: String(row[codes.designValue] ?? ''), values: typedOf(row) },
        ]),
      ),
    }
  },
  staleTime: 60_000,
})

export type Begun = Awaited<ReturnType<ReturnType<typeof beginQuery>['queryFn']>>

/** The design value that was last typed for an item in this browser. */
export const lastDesign = (itemId: string) =>
  readStored(`quality.design.${itemId}`, (v): v is string => typeof v === 'string') ?? ''
