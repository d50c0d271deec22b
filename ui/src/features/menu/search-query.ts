import { type DataOf, get } from '@/api/client'

type Context = { signal: AbortSignal }

export type SearchResult = DataOf<'/api/app/search', 'get'>
export type SearchGroup = SearchResult['groups'][number]
export type SearchRecord = SearchGroup['content'][number]

/** Longer texts are not searched. */
export const MAX_SEARCHED = 100

/** How long the keys rest before records are asked for, in milliseconds. */
export const SEARCH_PAUSE = 180

/** The records of all models that a text finds. A question that is given up ends on the server, too. */
export const searchQuery = (keyword: string, size: number, thorough = false) => ({
  queryKey: ['search', keyword, size, thorough] as const,
  queryFn: ({ signal }: Context) =>
    get('/api/app/search', { keyword, size, ...(thorough ? { thorough } : {}) }, { signal }),
  enabled: keyword !== '',
  retry: false,
  staleTime: 10_000,
})

/** The list of a model with its quick search filled; null where no application leads to it. */
export function listPath({ appCode, schemaCode, queryCode, searchable }: SearchGroup, keyword: string): string | null {
  if (!appCode) return null
  const query = new URLSearchParams({ queryCode })
  if (searchable) query.set('q', keyword)
  return `/application/${appCode}/application-list/${schemaCode}?${query}`
}

export const searchPath = (keyword: string) => `/search?${new URLSearchParams({ q: keyword })}`
