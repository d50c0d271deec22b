import { ApiError, get, post, put } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import type { components } from '@/api/schema.gen'

type Schemas = components['schemas']
type Context = { signal: AbortSignal }

/** A document in calls; the application is needed while nobody has published it. */
export type DocumentName = Schemas['DesignName']
export type OpenedDocument = Schemas['DesignDocument']
export type KeptDraft = Schemas['DesignKept']
export type DocumentDraft = Schemas['DesignDraft']
export type Lock = Schemas['DesignLock']
export type Check = Schemas['DesignCheck']
/** What the compiler says, whatever the canvas draws. */
export type Checked = Omit<Check, 'drawn'>
export type Begun = Schemas['DesignBegun']

export const nameOf = (kind: DocumentName['kind'], code: string, appCode: string | null): DocumentName => ({
  kind,
  code,
  ...(appCode && { appCode }),
})

export const documentQuery = (of: DocumentName) => ({
  queryKey: ['design', 'document', of.kind, of.code, of.appCode ?? ''] as const,
  queryFn: ({ signal }: Context) => get('/api/design/document', of, { signal }),
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
  retry: false,
})

export const begunQuery = (kind: DocumentName['kind'], appCode: string) => ({
  queryKey: ['design', 'begun', kind, appCode] as const,
  queryFn: ({ signal }: Context) => get('/api/design/begun', { kind, appCode }, { signal }),
  staleTime: 0,
})

export const historyQuery = (of: DocumentName) => ({
  queryKey: ['design', 'history', of.kind, of.code] as const,
  queryFn: ({ signal }: Context) => get('/api/design/history', of, { signal }),
  gcTime: 0,
})

/** What publishing a draft would do. */
export const planQuery = (body: DocumentDraft) => ({
  queryKey: ['design', 'plan', body] as const,
  queryFn: () => post('/api/design/plan', body),
  gcTime: 0,
  retry: false,
})

export const readDocument = (of: DocumentName) => get('/api/design/document', of)
export const readVersion = (of: DocumentName, version: number) => get('/api/design/version', { ...of, version })
export const checkDocument = (body: Schemas['DesignProof']) => post('/api/design/check', body)
export const keepDraft = (body: DocumentDraft) => put('/api/design/draft', body)
export const publishDocument = (body: DocumentDraft) => post('/api/design/publish', body)
export const discardDraft = (of: DocumentName) => post('/api/design/discard', of)
export const lockDocument = (of: DocumentName) => post('/api/design/lock', of)
export const takeOverDocument = (of: DocumentName) => post('/api/design/takeover', of)
export const unlockDocument = (of: DocumentName) => post('/api/design/unlock', of)

/** The person who holds the lock, as the refusal of a change names them; null: it is another refusal. */
export function lostTo(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.code !== ERROR.EditLockLost) return null
  const data = error.data as Partial<Lock> | null
  return data?.ownerName ?? ''
}
