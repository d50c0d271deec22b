import { address, type DataOf, get, post } from '@/api/client'
import { sendFile } from '@/api/files'
import type { components } from '@/api/schema.gen'

type Schemas = components['schemas']

/** A person, department, record or option in a cell; without an id it is only a name that was not found. */
export type CellEntry = Schemas['ImportEntry']

/** What a cell holds: the text of the file, or the entries that somebody has chosen for it. */
export type CellInput = string | CellEntry[]

export type CellError = Schemas['ImportRow']['errors'][number]

/** A row of a sub-table; `id` is its row in the record, where there is one. */
export type SubRow = Record<string, CellInput> & { id?: string }

/** A row that was refused: its cells by column; of a sub-table its rows. */
export type FailedRow = Omit<Schemas['ImportRow'], 'data'> & { data: Record<string, CellInput | SubRow[]> }

/** A row that a check would write, or that an undo has left. */
export type DiffRow = Schemas['ImportRow']

/** A column of the file, with what its control has to know. */
export type HeadColumn = Schemas['ImportColumn']

export type ImportResult = Schemas['ImportResult']
export type ImportRequest = Schemas['ImportRequest']
export type Mode = ImportResult['mode']
export type UploadedFile = DataOf<'/api/runtime/import/upload', 'post'>
export type HeadRequest = Schemas['ImportHeadRequest']
export type ImportHead = Schemas['ImportHead']
export type ImportFields = DataOf<'/api/runtime/import/fields', 'get'>

/** A row as somebody corrected it: the cells that changed; a sub-table's is its whole list. */
export interface RowEdit {
  id: string
  data: FailedRow['data']
}

export interface Page<T> {
  content: T[]
  totalElements: number
}

export interface Condition {
  propertyCode: string
  queryFilterType: number
  propertyValue: string
}

export interface Replacement {
  rows: string[]
  all: boolean
  conditions: Condition[]
  propertyCode: string
  value: CellInput
  /** A part of the cells' texts, which becomes the value. */
  search?: string
  /** Numbers are rounded and lines joined where the property takes them so. */
  fit?: boolean
}

export type Replaced = DataOf<'/api/runtime/import/replace', 'post'>

export type RowKind = Schemas['ImportRow']['kind']

type Context = { signal: AbortSignal }
/** What the dialogs of imports need of the list that they are opened in. */
export interface ImportContext {
  schemaCode: string
  queryCode: string | null
  refresh: () => Promise<void>
}

export interface Place {
  schemaCode: string
  queryCode: string
}

export const fieldsQuery = (place: Place) => ({
  queryKey: ['list', place.schemaCode, 'import-fields', place.queryCode] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/import/fields', place, { signal }),
})

/** How an upload is read, with what is chosen of it. */
export const headQuery = (asked: HeadRequest) => ({
  queryKey: ['import-head', asked.fileName, asked] as const,
  queryFn: ({ signal }: Context) => post('/api/runtime/import/head', asked, { signal }),
})

export const progressQuery = (id: string) => ({
  queryKey: ['import', id] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/import/progress', { id }, { signal }),
})

/** The import that a job belongs to. */
export const jobsImportQuery = (jobId: string) => ({
  queryKey: ['import', 'of-job', jobId] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/import/progress', { jobId }, { signal }),
})

export const unresolvedQuery = (id: string) => ({
  queryKey: ['import', id, 'unresolved'] as const,
  queryFn: async ({ signal }: Context) =>
    (await get('/api/runtime/import/unresolved', { id }, { signal })).unresolvedCount,
})

export const rowsQuery = (id: string, kind: RowKind, page: number, size: number) => ({
  queryKey: ['import', id, 'rows', kind, page, size] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/import/rows', { id, kind, page, size } as never, { signal }),
})

export const importsQuery = (schemaCode: string, page: number, size: number) => ({
  queryKey: ['import', 'list', schemaCode, page, size] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/import/list', { schemaCode, page, size }, { signal }),
})

export const templateAddress = (place: Place, languageType: string) =>
  address('/api/runtime/query/export_template', { ...place, languageType })

export const errorFileAddress = (fileName: string) => address('/api/runtime/import/error_result', { fileName })

export const upload = (file: File, signal: AbortSignal, onProgress: (share: number) => void) =>
  sendFile('/api/runtime/import/upload', file, { signal, onProgress }) as Promise<UploadedFile>

export const deleteUpload = (fileName: string) => post('/api/runtime/import/delete_temporary_file', { fileName })

export const begin = (request: ImportRequest, dry: boolean) =>
  dry ? post('/api/runtime/import/dry_run', request) : post('/api/runtime/import/start', request)

/** Imports the rows that were refused again, as they are corrected now. */
export const second = (id: string) => post('/api/runtime/import/second', { id })

export const editRows = (id: string, rows: RowEdit[]) =>
  post('/api/runtime/import/edit', { id, rows } as never) as Promise<FailedRow[]>

export const replaceCells = (id: string, replacement: Replacement, preview = false) =>
  post('/api/runtime/import/replace', {
    id,
    ...replacement,
    ...(preview ? { preview } : {}),
  } as never) as Promise<Replaced>

export const skipRows = (id: string, rows: string[] | null) =>
  post('/api/runtime/import/skip', { id, rows: rows ?? [], all: rows === null })

export const undo = (id: string) => post('/api/runtime/import/undo', { id })
