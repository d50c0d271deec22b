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

/**
 * Keeps a form, over the draft of that id or as a new one. With `seen` a draft that was changed elsewhere since then stays, and the form
 * becomes another draft.
 */
export const saveDraft = (draft: {
  id?: string
  seen?: string
  schemaCode: string
  sheetCode: string
  workflowCode?: string
  data: Record<string, unknown>
}) => post('/api/runtime/draft/save', draft)

/** Where a draft is gone on with. */
export const draftAddress = ({
  id,
  schemaCode,
  sheetCode,
  workflowCode,
}: Pick<Draft, 'id' | 'schemaCode' | 'sheetCode' | 'workflowCode'>) =>
  `/form/detail?${new URLSearchParams(
    workflowCode
      ? { startWorkflowCode: workflowCode, draftId: id }
      : { schemaCode, ...(sheetCode ? { sheetCode } : {}), draftId: id },
  )}`
