import { keepPreviousData } from '@tanstack/react-query'
import { get, post } from '@/api/client'
import type { Filter, ListPage, ListRequest } from '@/api/types'

type Context = { signal: AbortSignal }

export const headersQuery = (schemaCode: string) => ({
  queryKey: ['list', schemaCode, 'headers'] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/query/headers', { schemaCode, clientType: 'PC' }, { signal }),
  staleTime: 300_000,
})

export const configQuery = (schemaCode: string, queryCode: string | null) => ({
  queryKey: ['list', schemaCode, 'config', queryCode] as const,
  queryFn: ({ signal }: Context) =>
    get('/api/runtime/query/config', { schemaCode, ...(queryCode ? { queryCode } : {}) }, { signal }),
  staleTime: 300_000,
})

export const fetchRows = (request: ListRequest, cursor: string | null, signal: AbortSignal): Promise<ListPage> =>
  post('/api/runtime/query/list', { ...request, ...(cursor ? { cursor } : {}) }, { signal })

/** Where rows come from when the list has a script: its hooks stand around the call. */
export interface RowSource {
  /** The page view; rows of another view went through other hooks. Null without a script. */
  view: string | null
  load: typeof fetchRows
}

/** The rows of a page. A cursor names the same rows faster, so it is no part of the key. */
export const rowsQuery = (request: ListRequest, cursor: string | null, source: RowSource) => ({
  queryKey: ['list', request.schemaCode, 'rows', request, ...(source.view ? [source.view] : [])] as const,
  queryFn: ({ signal }: Context) => source.load(request, cursor, signal),
  placeholderData: keepPreviousData,
  staleTime: 10_000,
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
