import { useQuery } from '@tanstack/react-query'
import { get, post, put } from '@/api/client'
import type { components } from '@/api/schema.gen'

type Schemas = components['schemas']
export type Design = Schemas['WorkflowDesign']
export type Choice = Schemas['WorkflowDesignChoice']
export type DesignModel = Schemas['WorkflowDesignModel']
export type Property = Schemas['WorkflowDesignProperty']
export type Check = Schemas['WorkflowCheck']
export type Diagnostic = Schemas['Diagnostic']
export type Draft = Schemas['WorkflowDraft']
type Context = { signal: AbortSignal }

export const designQuery = (appCode: string, workflowCode: string | null) => ({
  queryKey: ['design', 'workflow', appCode, workflowCode] as const,
  queryFn: ({ signal }: Context) =>
    get('/api/app/workflow/design', { appCode, ...(workflowCode !== null && { workflowCode }) }, { signal }),
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
})

export const modelQuery = (appCode: string, schemaCode: string) => ({
  queryKey: ['design', 'model', appCode, schemaCode] as const,
  queryFn: ({ signal }: Context) => get('/api/app/workflow/model', { appCode, schemaCode }, { signal }),
  enabled: schemaCode !== '',
  retry: false,
})

export const checkDraft = (draft: Draft) => post('/api/app/workflow/check', draft)
export const keepDraft = (draft: Draft) => put('/api/app/workflow/draft', draft)
export const publishDraft = (draft: Draft) => put('/api/app/workflow/design', draft)

export type PartyKind = 'user' | 'department'

/** People or departments that a search finds; all that may be chosen for none. */
export const partiesQuery = (appCode: string, kind: PartyKind, search: string) => ({
  queryKey: ['design', 'people', appCode, kind, search] as const,
  queryFn: ({ signal }: Context) => get('/api/app/workflow/people', { appCode, kind, search }, { signal }),
})

/** People or departments of given ids; one that is unknown is called by its id. */
export function useParties(appCode: string, kind: PartyKind, ids: string[]) {
  const { data = [] } = useQuery({
    queryKey: ['design', 'named', appCode, kind, ids],
    queryFn: ({ signal }: Context) =>
      get('/api/app/workflow/people', { appCode, kind, ids: ids.join(',') }, { signal }),
    enabled: ids.length > 0,
    placeholderData: (old) => old,
  })
  return ids.map((id) => data.find((one) => one.id === id) ?? { id, name: id, detail: '' })
}
