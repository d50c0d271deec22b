import { keepPreviousData } from '@tanstack/react-query'
import { get, post } from '@/api/client'
import type { ListRequest } from '@/api/types'

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

/** The rows of a page. A cursor names the same rows faster, so it is no part of the key. */
export const rowsQuery = (request: ListRequest, cursor: string | null = null) => ({
  queryKey: ['list', request.schemaCode, 'rows', request] as const,
  queryFn: ({ signal }: Context) =>
    post('/api/runtime/query/list', { ...request, ...(cursor ? { cursor } : {}) }, { signal }),
  placeholderData: keepPreviousData,
  staleTime: 10_000,
})

export interface SheetAddress {
  schemaCode: string
  queryCode: string
  objectId: string
  propertyCode: string
}

export const sheetQuery = (at: SheetAddress, page: number, size: number) => ({
  queryKey: ['list', at.schemaCode, 'sheet', at, page, size] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/query/sheet_rows', { ...at, page, size }, { signal }),
  placeholderData: keepPreviousData,
})
