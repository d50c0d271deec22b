import { queryOptions } from '@tanstack/react-query'
import { get, post } from '@/api/client'
import type { components } from '@/api/schema.gen'

type Schemas = components['schemas']
export type Role = Schemas['RightsRole']
export type Model = Schemas['RightsModel']
export type Explained = Schemas['RightsExplained']
export type Publication = Schemas['Publication']

export const peopleQuery = (search: string, userId: string | undefined) => ({
  queryKey: ['rights', 'people', search, userId] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    get('/api/system/rights/people', { search, ...(userId && !search && { userId }) }, { signal }),
})

export const explainQuery = (of: { userId: string; schemaCode: string; objectId?: string }) =>
  queryOptions({
    queryKey: ['rights', 'explain', of],
    queryFn: ({ signal }) => get('/api/system/rights/explain', of, { signal }),
  })

/** The document of a role as it is served, with the digest that its publication has to name. */
export const documentQuery = (pack: string, path: string) =>
  queryOptions({
    queryKey: ['rights', 'document', pack, path],
    queryFn: ({ signal }) => get('/api/definition/document', { pack, path }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })

export interface Change {
  note: string
  files: { pack: string; path: string; text: string; seen: string }[]
}

export const checkChange = (change: Change) => post('/api/definition/check', change)

export const publishChange = (change: Change, confirm: string) =>
  post('/api/definition/publish', { ...change, confirm })

export const beginPass = (userId: string) => post('/api/system/see_as', { userId })
