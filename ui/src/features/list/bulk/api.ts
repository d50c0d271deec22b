import { get, post } from '@/api/client'
import type { components } from '@/api/schema.gen'
import type { ListRequest } from '@/api/types'
import { isLive } from '@/sdk/jobs'

type Schemas = components['schemas']
export type Selection = Schemas['Selection']
export type BulkOutcome = Schemas['BulkOutcome']
export type BulkResult = Schemas['BulkResult']
export type BatchField = Schemas['BatchField']
export type BatchLogEntry = Schemas['BatchLogEntry']

type Context = { signal: AbortSignal }

/** Ticked records, or everything that a list request matches. */
export function selectionOf(request: ListRequest, ids: string[], all: boolean): Selection {
  const { schemaCode, queryCode, filters, keyword } = request
  const list = { schemaCode, ...(queryCode ? { queryCode } : {}) }
  if (!all) return { ...list, objectIds: ids, all: false }
  return { ...list, all: true, filters: filters ?? [], ...(keyword ? { keyword } : {}) }
}

export const fieldsQuery = (schemaCode: string, queryCode: string) => ({
  queryKey: ['list', schemaCode, 'batch-fields', queryCode] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/batch/fields', { schemaCode, queryCode }, { signal }),
  staleTime: 60_000,
})

export const logQuery = (schemaCode: string, page: number, size: number) => ({
  queryKey: ['list', schemaCode, 'batch-log', page, size] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/batch/log', { schemaCode, page, size }, { signal }),
})

export const checkQuery = (selection: Selection, action: string) => ({
  queryKey: ['list', selection.schemaCode, 'bulk-check', action, selection] as const,
  queryFn: ({ signal }: Context) => post('/api/runtime/query/bulk_check', { ...selection, action }, { signal }),
  staleTime: 0,
})

export const kinds = ['batch_update', 'change_owner', 'bulk_delete', 'batch_undo']

/** The caller's bulk job of a model that is under way, so that a page opened again finds it. */
export const liveJobQuery = (schemaCode: string) => ({
  queryKey: ['job', 'live', schemaCode] as const,
  queryFn: async ({ signal }: Context) => {
    const page = await get('/api/jobs', { page: 0, size: 20 }, { signal })
    return page.content.find((job) => isLive(job) && job.subject === schemaCode && kinds.includes(job.kind)) ?? null
  },
  staleTime: 30_000,
})
