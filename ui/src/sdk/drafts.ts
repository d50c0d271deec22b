import { type DataOf, get, post } from '@/api/client'

export type Draft = DataOf<'/api/runtime/draft/list', 'post'>['content'][number]
export type OpenedDraft = DataOf<'/api/runtime/draft/load', 'get'>

export const DRAFTS_PER_PAGE = 20

export const draftsQuery = (searchword: string, page: number) => ({
  queryKey: ['drafts', 'list', searchword, page] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    post('/api/runtime/draft/list', { searchword, page, size: DRAFTS_PER_PAGE }, { signal }),
  staleTime: 0,
})

export const draftQuery = (id: string) => ({
  queryKey: ['drafts', 'open', id] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/runtime/draft/load', { id }, { signal }),
  staleTime: 0,
  gcTime: 0,
  retry: false,
})

export const deleteDrafts = (ids: string[]) => post('/api/runtime/draft/delete', { ids })

/** Keeps a form, over the draft of that id or as a new one, and answers the draft's id. */
export const saveDraft = async (draft: {
  id?: string
  schemaCode: string
  sheetCode: string
  data: Record<string, unknown>
}): Promise<string> => (await post('/api/runtime/draft/save', draft)).id

/** Where a draft is gone on with. */
export const draftAddress = ({ id, schemaCode, sheetCode }: Pick<Draft, 'id' | 'schemaCode' | 'sheetCode'>) =>
  `/form/detail?${new URLSearchParams({ schemaCode, ...(sheetCode ? { sheetCode } : {}), draftId: id })}`
