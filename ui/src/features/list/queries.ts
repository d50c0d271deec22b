import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { ApiError, get, NO_DATA, post } from '@/api/client'
import type { Filter, ListPage, ListRequest } from '@/api/types'

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
  queryFn: ({ signal }: Context) =>
    get('/api/runtime/query/config', { schemaCode, ...(queryCode ? { queryCode } : {}) }, { signal }).then(present),
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

/** Unknown property, operator not allowed, wrong value. */
const REFUSED = [302003, 302020, 302021]

/** Where rows come from when the list has a script: its hooks stand around the call. */
export interface RowSource {
  /** The page view; rows of another view went through other hooks. Null without a script. */
  view: string | null
  load: typeof fetchRows
}

/** Rows as the server gives them. */
export const server: RowSource = { view: null, load: fetchRows }

/** The rows of a page. A cursor names the same rows faster, so it is no part of the key. */
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
