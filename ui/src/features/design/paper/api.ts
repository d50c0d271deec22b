import { get, post, put } from '@/api/client'
import type { components } from '@/api/schema.gen'

type Schemas = components['schemas']
export type PrintDesign = Schemas['PrintDesign']
export type PrintModel = Schemas['PrintDesignModel']
export type PrintProperty = Schemas['PrintDesignProperty']
export type PrintForm = PrintModel['forms'][number]
export type PrintCheck = Schemas['PrintCheck']
export type Label = Schemas['PlanLabel']
type Context = { signal: AbortSignal }

export const printDesignQuery = (appCode: string, printCode: string | null) => ({
  queryKey: ['design', 'print', appCode, printCode] as const,
  queryFn: ({ signal }: Context) =>
    get('/api/app/print/design', { appCode, ...(printCode !== null && { printCode }) }, { signal }),
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
})

export const printModelQuery = (appCode: string, schemaCode: string) => ({
  queryKey: ['design', 'print-model', appCode, schemaCode] as const,
  queryFn: ({ signal }: Context) => get('/api/app/print/model', { appCode, schemaCode }, { signal }),
  enabled: schemaCode !== '',
  retry: false,
})

export const printHistoryQuery = (appCode: string, printCode: string) => ({
  queryKey: ['design', 'print-history', appCode, printCode] as const,
  queryFn: ({ signal }: Context) => get('/api/app/print/history', { appCode, printCode }, { signal }),
  gcTime: 0,
})

export const readVersion = (appCode: string, printCode: string, version: number) =>
  get('/api/app/print/version', { appCode, printCode, version })

export const checkPrint = (body: Schemas['PrintProof']) => post('/api/app/print/check', body)
export const keepPrint = (body: Schemas['PrintDraft']) => put('/api/app/print/draft', body)
export const publishPrint = (body: Schemas['PrintDraft']) => put('/api/app/print/design', body)

/** Records of a model to try a template with, the newest first. */
export const recordsQuery = (schemaCode: string, keyword: string) => ({
  queryKey: ['design', 'print-records', schemaCode, keyword] as const,
  queryFn: ({ signal }: Context) =>
    post(
      '/api/runtime/query/list',
      {
        schemaCode,
        page: 0,
        size: 20,
        options: { queryDisplayType: 1, customDisplayColumns: ['name', 'sequenceNo'] },
        ...(keyword && { keyword }),
      },
      { signal },
    ),
  enabled: schemaCode !== '',
  retry: false,
})
