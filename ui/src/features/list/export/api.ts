import { get, post } from '@/api/client'
import type { components } from '@/api/schema.gen'

type Schemas = components['schemas']
export type ExportField = Schemas['ExportField']
export type ExportColumn = Schemas['ExportColumn']
export type ExportRequest = Schemas['ExportRequest']

type Context = { signal: AbortSignal }

export const fieldsQuery = (schemaCode: string, queryCode: string) => ({
  queryKey: ['list', schemaCode, 'export-fields', queryCode] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/export/fields', { schemaCode, queryCode }, { signal }),
  staleTime: 60_000,
})

/** The columns that the caller exported last of a list; null when there are none. */
export const historyQuery = (schemaCode: string, queryCode: string) => ({
  queryKey: ['list', schemaCode, 'export-history', queryCode] as const,
  queryFn: async ({ signal }: Context) => {
    const all = await get(
      '/api/runtime/export/history',
      { type: 'VIEW_EXPORT_QUERY', schemaCode, queryCode },
      { signal },
    )
    const last = all[0]
    if (!last) return null
    return { id: last.id, columns: (JSON.parse(last.queryCondition) as { columns: ExportColumn[] }).columns }
  },
  staleTime: 0,
  // The dialog begins with it: an earlier answer would be the one before the last.
  gcTime: 0,
})

export const startExport = (request: ExportRequest) => post('/api/runtime/export/start', request)
