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

/** People or departments that a search finds, and those of given ids. */
export function useParties(appCode: string, kind: PartyKind, search: string, ids: string[]) {
  const found = useQuery({
    queryKey: ['design', 'people', appCode, kind, search],
    queryFn: ({ signal }: Context) => get('/api/app/workflow/people', { appCode, kind, search }, { signal }),
    placeholderData: (old) => old,
  })
  const named = useQuery({
    queryKey: ['design', 'named', appCode, kind, ids],
    queryFn: ({ signal }: Context) =>
      get('/api/app/workflow/people', { appCode, kind, ids: ids.join(',') }, { signal }),
    enabled: ids.length > 0,
    placeholderData: (old) => old,
  })
  const all = new Map([...(named.data ?? []), ...(found.data ?? [])].map((one) => [one.id, one]))
  for (const id of ids) if (!all.has(id)) all.set(id, { id, name: id, detail: '' })
  return [...all.values()]
}
