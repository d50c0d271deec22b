import { keepPreviousData } from '@tanstack/react-query'
import { deleteAt, get, post, put } from '@/api/client'
import type { components } from '@/api/schema.gen'

type Schemas = components['schemas']
export type WorkItemDetail = Schemas['WorkItemDetail']
export type Place = Schemas['WorkflowPlace']
export type Opinion = Schemas['WorkflowOpinion']
export type Track = Schemas['WorkflowTrack']
export type TrackNode = Schemas['WorkflowNodeTrack']
export type Round = Schemas['WorkflowRound']
export type Startable = Schemas['StartableWorkflow']
export type Command = Schemas['WorkItemCommand']
export type NextNodes = Schemas['NextNodes']
export type Handled = Schemas['HandledTask']
export type Done = Schemas['WorkflowDone']
export type Person = Schemas['CommentPerson']
export type WorkflowChoice = Schemas['WorkflowChoice']

type Context = { signal: AbortSignal }

export const PAGE = 20

export const startListQuery = {
  queryKey: ['workflow', 'start-list'] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/workflow/start_list', undefined, { signal }),
}

export type KnownList = 'unfinished' | 'finished' | 'unread' | 'read' | 'mine' | 'query' | 'decided'

/** The workflows of a list of the reader's; decided = those in which they decide. */
export const knownQuery = (list: KnownList) => ({
  queryKey: ['workflow', 'known', list] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/workflow/known', { list }, { signal }),
  staleTime: 60_000,
  retry: false,
})

export const detailQuery = (workItemId: string) => ({
  queryKey: ['work-item', workItemId] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/workitem/detail', { workItemId }, { signal }),
  // What is typed belongs to the form as it was opened.
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  retry: false,
})

/** The record of a task as it is now, beside the one that is open. */
export const reloadTask = async (workItemId: string) => (await get('/api/runtime/workitem/detail', { workItemId })).form

export const startFormQuery = (workflowCode: string, objectId: string | null) => ({
  queryKey: ['start-form', workflowCode, objectId] as const,
  queryFn: ({ signal }: Context) =>
    get('/api/runtime/workflow/start_form', { workflowCode, ...(objectId ? { objectId } : {}) }, { signal }),
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  retry: false,
})

/** The record that a workflow starts with as it is now. */
export const reloadStart = (workflowCode: string, objectId: string | null) =>
  get('/api/runtime/workflow/start_form', { workflowCode, ...(objectId ? { objectId } : {}) })

export const nextQuery = (command: Command) => ({
  queryKey: ['work-item', command.workItemId, 'next', command] as const,
  queryFn: ({ signal }: Context) => post('/api/runtime/workitem/next_nodes', command, { signal }),
  placeholderData: keepPreviousData,
  retry: false,
})

export const trackQuery = (workflowInstanceId: string) => ({
  queryKey: ['workflow', 'track', workflowInstanceId] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/workflow/track', { workflowInstanceId }, { signal }),
  retry: false,
})

/** What can be done with a task. */
export const ACTIONS = [
  'agree',
  'submit',
  'disagree',
  'reject',
  'claim',
  'release',
  'save',
  'transfer',
  'add_sign',
  'assist',
  'circulate',
  'withdraw',
] as const
export type Action = (typeof ACTIONS)[number]

export const once = (key: string) => ({ headers: { 'Idempotency-Key': key } })

/** Does something with a task once, however often it is sent: the key makes a repeat return the first answer. */
export const actOn = (action: Action, command: Command, key: string): Promise<Done> =>
  post(`/api/runtime/workitem/${action}`, command, once(key))

export const startWorkflow = (request: Schemas['SubmitRequest'], key: string): Promise<Done> =>
  post('/api/runtime/form/submit', request, once(key))

export const agreeToAll = (ids: string[], opinion: string, key: string) =>
  post('/api/runtime/workitem/agree_all', { ids, ...(opinion ? { opinion } : {}) }, once(key))

export const markRead = (ids: string[]) => put('/api/runtime/workitem/mark_read', { ids })
export const markAllRead = () => put('/api/runtime/workitem/mark_read_all')

export type InstanceAct = 'revoke' | 'urge' | 'void' | 'retry'

export const actOnInstance = (act: InstanceAct, workflowInstanceId: string, opinion: string, key: string) =>
  post(`/api/runtime/workflow/${act}`, { workflowInstanceId, ...(opinion ? { opinion } : {}) }, once(key))

/** The address of the form that starts a workflow, with a record of the reader where it is given. */
export const startPath = (workflowCode: string, objectId?: string) =>
  `/form/detail?${new URLSearchParams({ startWorkflowCode: workflowCode, ...(objectId ? { key: objectId } : {}) })}`

export type Delegation = components['schemas']['Delegation']

export const delegationsQuery = {
  queryKey: ['workflow', 'delegations'] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/delegation', undefined, { signal }),
}

export const saveDelegation = (of: components['schemas']['DelegationRequest']) =>
  of.id ? put('/api/runtime/delegation', of) : post('/api/runtime/delegation', of)

export const removeDelegation = (id: string) => deleteAt('/api/runtime/delegation/{id}', { id })

/** Tasks that delegates have or had in the reader's place. */
export const delegatedQuery = (page: number) => ({
  queryKey: ['workflow', 'delegated', page] as const,
  queryFn: ({ signal }: Context) => post('/api/runtime/workitem/delegated', { page, size: PAGE }, { signal }),
  placeholderData: keepPreviousData,
})

export const findDepartments = (keyword: string, size: number, signal: AbortSignal) =>
  get('/api/runtime/workitem/people', { keyword, size, kind: 'department' }, { signal })

/** Those whom an opinion on a task may mention. */
export const mentionableQuery = (workItemId: string, keyword: string) => ({
  queryKey: ['work-item', workItemId, 'people', keyword] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/workitem/people', { workItemId, keyword, size: 8 }, { signal }),
  staleTime: 60_000,
})

/** People to whom a task may be passed on or who may be asked, whatever the asker may read. */
export const findPeople = (keyword: string, size: number, signal: AbortSignal) =>
  get('/api/runtime/workitem/people', { keyword, size }, { signal })

export type RehearsalBasis = Schemas['RehearsalBasis']
export type RehearsalRun = Schemas['RehearsalRun']
export type RehearsalDecision = Schemas['RehearsalDecision']
export type RehearsalReport = Schemas['RehearsalReport']
export type RehearsedRun = Schemas['RehearsedRun']
export type RehearsedStep = Schemas['RehearsedStep']

export const rehearsalQuery = (workflowCode: string) => ({
  queryKey: ['workflow', 'rehearsal', workflowCode] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/workflow/rehearsal', { workflowCode }, { signal }),
  retry: false,
})

export const findRehearsalRecords = (workflowCode: string) => (keyword: string, size: number, signal: AbortSignal) =>
  get('/api/runtime/workflow/rehearsal/records', { workflowCode, keyword, size }, { signal })

export const rehearse = (request: Schemas['RehearsalRequest']) => post('/api/runtime/workflow/rehearse', request)

/** The address of the page that rehearses a workflow. */
export const rehearsalPath = (workflowCode: string) => `/workflow-rehearsal/${encodeURIComponent(workflowCode)}`
