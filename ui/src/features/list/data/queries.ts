import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { ApiError, get, NO_DATA, post } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import type { Filter, ListPage, ListRequest } from '@/api/types'
import { loadFor } from '@/registry/bundles'

type Context = { signal: AbortSignal }

/** An answer without contents is a failure, not an empty list. */
function present<T>(data: T): T {
  if (!data) throw new ApiError('', { code: NO_DATA, status: 200 })
  return data
}

export const headersQuery = (schemaCode: string) => ({
  queryKey: ['list', schemaCode, 'headers'] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/query/headers', { schemaCode, clientType: 'PC' }, { signal }),
  staleTime: 300_000,
})

export const configQuery = (schemaCode: string, queryCode: string | null) => ({
  queryKey: ['list', schemaCode, 'config', queryCode] as const,
  queryFn: async ({ signal, client }: Context & { client: QueryClient }) => {
    const asked = { schemaCode, ...(queryCode ? { queryCode } : {}) }
    const config = await get('/api/runtime/query/config', asked, { signal }).then(present)
    await loadFor(client, {
      wires: [...config.queryColumns, ...config.queryConditions].map((field) => field.propertyType),
      actions: config.queryActions.map((action) => action.queryActionType),
      views: [config.queryPresentation.presentationType],
    })
    return config
  },
  staleTime: 300_000,
})

/** A page, and the properties whose filters were refused and left out. */
export type Rows = ListPage & { ignored?: string[] }

const ask = (request: ListRequest, cursor: string | null, signal: AbortSignal): Promise<ListPage> =>
  post('/api/runtime/query/list', { ...request, ...(cursor ? { cursor } : {}) }, { signal }).then(present)

/** Filters of an address or of a stored filter may be wrong by now: the list then shows without those that are refused. */
export async function fetchRows(request: ListRequest, cursor: string | null, signal: AbortSignal): Promise<Rows> {
  try {
    return await ask(request, cursor, signal)
  } catch (error) {
    if (error instanceof ApiError && error.code === BEYOND && (request.page ?? 0) > 0) {
      // Farther than any page can be: the list says how many there are, and goes to the last one.
      const first = await ask({ ...request, page: 0 }, null, signal)
      return { ...first, content: [], next: null, previous: null }
    }
    const ignored = refusedFilters(error)
    const filters = (request.filters ?? []).filter((filter) => !ignored.includes(filter.propertyCode ?? ''))
    if (filters.length === (request.filters ?? []).length) throw error
    return { ...(await ask({ ...request, filters }, null, signal)), ignored }
  }
}

/** The properties that a refusal of the list call names. */
function refusedFilters(error: unknown): string[] {
  if (!(error instanceof ApiError) || !REFUSED.includes(error.code)) return []
  const { errors } = (error.data ?? {}) as { errors?: { propertyCode?: string }[] }
  return (errors ?? []).flatMap(({ propertyCode }) => propertyCode ?? [])
}

/** Unknown or renamed property, operator not allowed, wrong value. */
const REFUSED: readonly number[] = [ERROR.FieldUnknown, ERROR.FieldRenamed, ERROR.OperatorNotAllowed, ERROR.FilterValue]
/** The page is out of range. */
const BEYOND = ERROR.PageOutOfRange

/** Where rows come from when the list has a script: its hooks stand around the call. */
export interface RowSource {
  /** The page view; rows of another view went through other hooks. Null without a script. */
  view: string | null
  load: typeof fetchRows
  /** Some rows of a page again, with the hooks around the call. */
  renew: (request: ListRequest, ids: string[], signal: AbortSignal) => Promise<Rows>
}

/** Rows as the server gives them. */
export const server: RowSource = {
  view: null,
  load: fetchRows,
  renew: (request, ids, signal) => fetchRows(onlyRows(request, ids), null, signal),
}

/** The wire's number of the property that holds a record's id. */
const ID_TYPE = 13

/** The call for some rows of a page; whatever filters a script has put into it, they are asked for by id. */
export function onlyRows({ parentId: _, ancestors: __, ...flat }: ListRequest, ids: string[]): ListRequest {
  const only = { propertyCode: 'id', propertyType: ID_TYPE, propertyValue: ids.join(';'), queryFilterType: 'In' }
  return { ...flat, page: 0, size: ids.length, filters: [...(flat.filters ?? []), only] }
}

/** The rows of a page. A cursor names the same rows faster, so it is not a part of the key. */
export const rowsQuery = (request: ListRequest, cursor: string | null, source: RowSource) => ({
  queryKey: ['list', request.schemaCode, 'rows', request, ...(source.view ? [source.view] : [])] as const,
  queryFn: ({ signal }: Context) => source.load(request, cursor, signal),
  placeholderData: keepPreviousData,
  staleTime: 10_000,
})

const CHILDREN = 500
const CHILD_PAGES = 10

/** All rows below a row of a tree. */
export const childrenQuery = (below: ListRequest, source: RowSource) => {
  const request = { ...below, page: 0, size: CHILDREN }
  return {
    ...rowsQuery(request, null, source),
    queryFn: async ({ signal }: Context): Promise<Rows> => {
      const first = await source.load(request, null, signal)
      const content = [...first.content]
      for (let page = 1, { next } = first; next && page < CHILD_PAGES; page++) {
        const more = await source.load({ ...request, page }, next, signal)
        content.push(...more.content)
        next = more.next
      }
      return { ...first, content }
    },
  }
}

/** A page that was asked for before the list's script could be, once; later the server is asked. */
export async function firstRows(
  client: QueryClient,
  request: ListRequest,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Rows> {
  const query = rowsQuery(request, null, server)
  if (!client.getQueryState(query.queryKey)) return fetchRows(request, cursor, signal)
  try {
    return await client.fetchQuery(query)
  } finally {
    client.removeQueries({ queryKey: query.queryKey, exact: true })
  }
}

export const savedFiltersQuery = (schemaCode: string, queryCode: string | null) => ({
  queryKey: ['list', schemaCode, 'saved', queryCode] as const,
  queryFn: ({ signal }: Context) =>
    get('/api/runtime/query/saved_filters', { schemaCode, ...(queryCode ? { queryCode } : {}) }, { signal }),
  staleTime: 60_000,
})

export interface SheetAddress {
  schemaCode: string
  queryCode: string
  objectId: string
  propertyCode: string
}

/** Rows of a sub-table; the filters are the server's, so pages and totals are those of what matches. */
export const sheetQuery = (at: SheetAddress, page: number, size: number, filters: Filter[]) => ({
  queryKey: ['list', at.schemaCode, 'sheet', at, page, size, filters] as const,
  queryFn: ({ signal }: Context) => post('/api/runtime/query/sheet_rows', { ...at, page, size, filters }, { signal }),
  placeholderData: keepPreviousData,
})

/** What was changed in one record, or in several together. */
export const trackQuery = (schemaCode: string, ids: string[], page: number, size: number) => ({
  queryKey: ['list', schemaCode, 'track', ids, page, size] as const,
  queryFn: ({ signal }: Context) =>
    ids.length === 1
      ? post('/api/runtime/track/detail', { schemaCode, bizObjectId: ids[0] ?? '', page, size }, { signal })
      : post('/api/runtime/track/list', { schemaCode, bizObjectIds: ids, page, size }, { signal }),
  placeholderData: keepPreviousData,
  staleTime: 0,
})
