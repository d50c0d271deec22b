import type { QueryClient } from '@tanstack/react-query'
import { get, post } from '@/api/client'
import type { FormLoad } from '@/api/types'
import { loadFor, type Needs } from '@/registry/bundles'

export interface RecordKey {
  schemaCode: string
  sheetCode?: string | undefined
  objectId?: string | undefined
  /** A new record that begins as a copy. */
  copyFrom?: string | undefined
  /** The list that a new record is added to. */
  queryCode?: string | undefined
  /** What a new record refers to. */
  relation?: { propertyCode: string; schemaCode?: string; id: string } | undefined
  /** Values that a new record begins with, as the wire has them. */
  given?: Record<string, unknown> | undefined
}

/** What the interface of packs may have to draw of a record. */
export const needsOf = ({ id, form }: FormLoad): Needs => ({
  wires: form.fields.flatMap((field) => [field, ...(field.children ?? [])]).map((field) => field.propertyType),
  actions: form.buttons.map((button) => button.queryActionType),
  ...(id ? { record: form.schemaCode } : {}),
})

/** Those of the values that the form lets people write. */
const inForm = ({ form }: FormLoad, given: Record<string, unknown>) =>
  Object.fromEntries(
    form.fields
      .filter(({ propertyCode, readOnly }) => !readOnly && Object.hasOwn(given, propertyCode))
      .map(({ propertyCode }) => [propertyCode, given[propertyCode]]),
  )

/** The query of an open record; a record that is new has no id. */
export const recordQuery = (key: RecordKey) => ({
  queryKey: [
    'record',
    key.schemaCode,
    key.sheetCode ?? '',
    key.objectId ?? '',
    key.copyFrom ?? '',
    key.relation?.id ?? '',
    key.given ?? null,
    (!key.objectId && key.queryCode) || '',
  ] as const,
  queryFn: async ({ signal, client }: { signal: AbortSignal; client: QueryClient }) => {
    const load = await get(
      '/api/runtime/form/load',
      {
        schemaCode: key.schemaCode,
        ...(key.sheetCode ? { sheetCode: key.sheetCode } : {}),
        ...(key.objectId ? { objectId: key.objectId } : {}),
        ...(key.copyFrom && !key.objectId ? { copyFrom: key.copyFrom } : {}),
        ...(key.queryCode && !key.objectId && !key.copyFrom ? { queryCode: key.queryCode } : {}),
        ...(key.relation ? relationOf(key.relation) : {}),
      },
      { signal },
    )
    await loadFor(client, needsOf(load))
    return key.given && !key.objectId ? { ...load, data: { ...load.data, ...inForm(load, key.given) } } : load
  },
  staleTime: 0,
  gcTime: 60_000,
  refetchOnWindowFocus: false,
  retry: false,
})

const relationOf = ({ propertyCode, schemaCode, id }: NonNullable<RecordKey['relation']>) => ({
  ...(propertyCode ? { relPropertyCode: propertyCode } : {}),
  ...(schemaCode ? { relSchemacode: schemaCode } : {}),
  relId: id,
})

export interface Save {
  schemaCode: string
  sheetCode: string
  id?: string
  version?: number
  data: Record<string, unknown>
  /** Why what a workflow has approved is changed. */
  amend?: string
}

/** Whether the reader can change the record in this form: as it is, or amend what a workflow has approved. */
export const changes = (load: FormLoad) => load.actions.includes('save') || load.actions.includes('amend')

/** Saves once, however often it is sent: the key makes a repeat return the first answer. */
export const saveRecord = (body: Save, key: string) =>
  post('/api/runtime/form/save', body, { headers: { 'Idempotency-Key': key } })

export const historyQuery = (schemaCode: string, bizObjectId: string) => ({
  queryKey: ['history', schemaCode, bizObjectId] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    post('/api/runtime/track/detail', { schemaCode, bizObjectId, page: 0, size: 50 }, { signal }),
})

export const deleteRecord = (schemaCode: string, id: string) =>
  post('/api/runtime/query/delete', { schemaCode, ids: [id] })
