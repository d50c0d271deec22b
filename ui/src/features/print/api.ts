import { ApiError, get, post } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { fetchFile } from '@/api/files'
import type { components } from '@/api/schema.gen'
import { type PrintLabels, printTemplates } from '@/sdk/print'

/** What the address of the preview names. */
export interface Asked {
  schemaCode: string
  queryCode: string | null
  sheetCode: string | null
  code: string | null
  /** Labels with codes, instead of a template. */
  labels: PrintLabels | null
  ids: string[]
}

/** What an address says of labels; the server checks the rest of it. */
function labelsOf(text: string | null): PrintLabels | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as PrintLabels) : null
  } catch {
    return null
  }
}

export function askedOf(search: URLSearchParams): Asked {
  const ids = (search.get('objectIds') ?? '').split(',').filter(Boolean)
  return {
    schemaCode: search.get('schemaCode') ?? '',
    queryCode: search.get('queryCode'),
    sheetCode: search.get('sheetCode'),
    code: search.get('code'),
    labels: labelsOf(search.get('labels')),
    ids: [...new Set(ids)],
  }
}

type Schemas = components['schemas']
export type PrintVerified = Schemas['PrintVerified']
export type PrintDifference = Schemas['PrintDifference']

const request = ({ schemaCode, queryCode, code, labels, ids }: Asked) => ({
  schemaCode,
  objectIds: ids,
  ...(queryCode ? { queryCode } : {}),
  ...(code ? { code } : {}),
  ...(labels ? { labels } : {}),
})

export const templatesQuery = (asked: Asked) => ({
  queryKey: ['print', 'templates', asked.schemaCode, asked.sheetCode, asked.code, asked.ids] as const,
  queryFn: () => printTemplates(asked),
  retry: false,
})

/** Pictures of a print are made small over several calls: each goes on where the one before ended. */
const MOST_CALLS = 40
const picturesComing = (failures: number, error: unknown) =>
  failures < MOST_CALLS && error instanceof ApiError && error.code === ERROR.PrintPictures

/** The pages as they were when the preview was opened: they do not change while somebody looks at them. */
export const pagesQuery = (asked: Asked) => ({
  queryKey: ['print', 'pages', asked] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => post('/api/runtime/print/pages', request(asked), { signal }),
  retry: picturesComing,
  retryDelay: 3000,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
})

export type PrintFile = 'pdf' | 'xlsx'

export const fetchPrintout = (asked: Asked, file: PrintFile) =>
  fetchFile(file === 'pdf' ? '/api/runtime/print/pdf' : '/api/runtime/print/xlsx', request(asked))

/** Notes that the browser printed what a preview showed. Nobody waits for it, and nobody is told when it fails. */
export const notePrinted = (asked: Asked, printId: string) =>
  post('/api/runtime/print/printed', { ...request(asked), printId }).catch(() => undefined)

/** Has a job make a PDF of each record. */
export const startFiles = ({ schemaCode, queryCode, code, ids }: Asked) =>
  post('/api/runtime/print/batch', {
    schemaCode,
    objectIds: ids,
    filePerRecord: true,
    ...(queryCode ? { queryCode } : {}),
    ...(code ? { code } : {}),
  })

export const historyQuery = ({ schemaCode, queryCode, ids }: Asked) => ({
  queryKey: ['print', 'history', schemaCode, ids[0]] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    get(
      '/api/runtime/print/history',
      { schemaCode, objectId: ids[0] ?? '', ...(queryCode ? { queryCode } : {}) },
      { signal },
    ),
  staleTime: 0,
})

export const verifyQuery = (code: string) => ({
  queryKey: ['print', 'verify', code] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/runtime/print/verify', { code }, { signal }),
  retry: false,
  staleTime: 0,
})
