import { useQuery } from '@tanstack/react-query'
import { get } from '@/api/client'
import type { components } from '@/api/schema.gen'

type Schemas = components['schemas']
/** What a workflow may name, with its code; "" = of a new one. */
export type Design = Schemas['WorkflowChoices'] & { workflowCode: string }
export type Choice = Schemas['WorkflowDesignChoice']
export type DesignModel = Schemas['WorkflowDesignModel']
export type Property = Schemas['WorkflowDesignProperty']
export type Diagnostic = Schemas['Diagnostic']
type Context = { signal: AbortSignal }

export const choicesQuery = (appCode: string, workflowCode: string) => ({
  queryKey: ['design', 'workflow', appCode, workflowCode] as const,
  queryFn: ({ signal }: Context) =>
    get('/api/app/workflow/design', { appCode, ...(workflowCode && { workflowCode }) }, { signal }),
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
  retry: false,
})

export const modelQuery = (appCode: string, schemaCode: string) => ({
  queryKey: ['design', 'model', appCode, schemaCode] as const,
  queryFn: ({ signal }: Context) => get('/api/app/workflow/model', { appCode, schemaCode }, { signal }),
  enabled: schemaCode !== '',
  retry: false,
})

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
