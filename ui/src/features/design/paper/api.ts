import { get, post } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { type Check, checkDocument, type DocumentDraft } from '../shared/api'

type Schemas = components['schemas']
/** What a template may name, with its code; "" = of a new one. */
export type PrintDesign = Schemas['PrintChoices'] & { printCode: string }
export type PrintModel = Schemas['PrintDesignModel']
export type PrintProperty = Schemas['PrintDesignProperty']
export type PrintList = PrintModel['lists'][number]
export type PrintForm = PrintModel['forms'][number]
/** What the compiler says of a template, and how a record looks with it. */
export type PrintCheck = Omit<Check, 'drawn'> & Schemas['PrintDrawn']
export type Label = Schemas['PlanLabel']
type Context = { signal: AbortSignal }

export const choicesQuery = (appCode: string) => ({
  queryKey: ['design', 'print', appCode] as const,
  queryFn: ({ signal }: Context) => get('/api/app/print/design', { appCode }, { signal }),
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
  retry: false,
})

export const printModelQuery = (appCode: string, schemaCode: string) => ({
  queryKey: ['design', 'print-model', appCode, schemaCode] as const,
  queryFn: ({ signal }: Context) => get('/api/app/print/model', { appCode, schemaCode }, { signal }),
  enabled: schemaCode !== '',
  retry: false,
})

export const checkPrint = (draft: DocumentDraft, objectId: string | null): Promise<PrintCheck> =>
  checkDocument({ ...draft, ...(objectId && { objectId }) }).then(({ drawn, ...check }) => ({
    ...check,
    ...(drawn as Schemas['PrintDrawn']),
  }))

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
