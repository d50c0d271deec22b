import { keepPreviousData } from '@tanstack/react-query'
import { get, post } from '@/api/client'
import type { components } from '@/api/schema.gen'
import type { Entry } from '@/api/types'
import { once } from '../api'

type Schemas = components['schemas']
export type TaskSearch = Schemas['TaskSearch']
export type Preview = Schemas['WorkflowPreview']
export type Compared = Schemas['WorkflowCompared']
export type Write = Schemas['HistoryEntry']
export type Change = Schemas['HistoryChange']

type Context = { signal: AbortSignal }

/** Tasks of anybody. */
export const tasksQuery = (search: TaskSearch) => ({
  queryKey: ['workflow', 'tasks', search] as const,
  queryFn: ({ signal }: Context) => post('/api/runtime/workitem/query', search, { signal }),
  placeholderData: keepPreviousData,
})

/** People by name, also such as have left; a person alone while nothing is typed. */
export const participantsQuery = (search: string, userId: string | undefined) => ({
  queryKey: ['workflow', 'participants', search, userId] as const,
  queryFn: ({ signal }: Context) =>
    get('/api/runtime/workitem/participants', { search, ...(userId && !search && { userId }) }, { signal }),
})

/** Departments by name; one alone while nothing is typed. */
export const departmentsQuery = (keyword: string, departmentId: string | undefined) => ({
  queryKey: ['workflow', 'departments', keyword, departmentId] as const,
  queryFn: ({ signal }: Context) =>
    get(
      '/api/runtime/workitem/people',
      { kind: 'department', keyword, size: 50, ...(departmentId && !keyword && { departmentId }) },
      { signal },
    ),
})

const PERSON = 3

/** People who can take tasks over: the administrator who looks is one of them. */
export async function findSuccessors(search: string, size: number, signal: AbortSignal) {
  const found = await get('/api/runtime/workitem/participants', { search }, { signal })
  const content = found
    .filter((one) => !one.disabled)
    .slice(0, size)
    .map(({ id, name, detail }): Entry => ({ id, name, detail, type: PERSON, imgUrl: null, leaf: true }))
  return { content, totalElements: content.length }
}

export const handOver = (
  request: { from?: string; to: string; workItemIds?: string[]; opinion?: string },
  key: string,
) => post('/api/runtime/workitem/hand_over', request, once(key))

/** What administrators do with an instance. */
export type AdminAct = 'jump' | 'adjust' | 'activate' | 'cancelActivity' | 'retry' | 'void'
export type AdminOrder = Omit<Schemas['InstanceCommand'], 'opinion'>

export const administer = (act: AdminAct, order: AdminOrder, opinion: string, key: string) =>
  post(`/api/runtime/workflow/${act}`, { ...order, ...(opinion ? { opinion } : {}) }, once(key))

export const previewQuery = (action: AdminAct, order: AdminOrder) => ({
  queryKey: ['workflow-preview', action, order] as const,
  queryFn: ({ signal }: Context) => post('/api/runtime/workflow/preview', { ...order, action }, { signal }),
  retry: false,
  staleTime: 0,
  gcTime: 0,
})

export const removeInstance = (workflowInstanceId: string, key: string) =>
  post('/api/runtime/workflow/delete', { workflowInstanceId }, once(key))

export type VersionCount = Schemas['WorkflowVersionCount']
export type RunningVersion = Schemas['RunningVersion']
export type Fitting = Schemas['WorkflowFitting']

/** The workflows, with how many instances run and how many of them by older versions. */
export const versionCountsQuery = {
  queryKey: ['workflow', 'version-counts'] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/workflow/version_counts', undefined, { signal }),
}

export type Finding = Schemas['WorkflowFinding']
export type Way = Finding['ways'][number]

/** What audits of running workflows found. */
export const findingsQuery = {
  queryKey: ['workflow', 'findings'] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/workflow/findings', { size: 200 }, { signal }),
}

/** Starts an audit of all running workflows. */
export const audit = () => post('/api/runtime/workflow/audit', undefined)

/** The versions that run of a workflow. */
export const versionsQuery = (workflowCode: string) => ({
  queryKey: ['workflow', 'versions', workflowCode] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/workflow/versions', { workflowCode }, { signal }),
})

const MIGRATED_AT_ONCE = 50

/** Lets instances go on by the current definition, or only tells what would become of them; a few in each call. */
export async function migrate(workflowCode: string, ids: string[], check: boolean, onPart?: (done: number) => void) {
  const out: Fitting[] = []
  for (let at = 0; at < ids.length; at += MIGRATED_AT_ONCE) {
    out.push(
      ...(await post('/api/runtime/workflow/migrate', {
        workflowCode,
        ids: ids.slice(at, at + MIGRATED_AT_ONCE),
        check,
      })),
    )
    onPart?.(out.length)
  }
  return out
}

/** The address of the page with the versions of a workflow. */
export const versionsPath = (workflowCode: string) =>
  `/workflow-center/workflow-versions?workflowCode=${encodeURIComponent(workflowCode)}`

export const comparedQuery = (workflowInstanceId: string, logId: number, workItemId: string | undefined) => ({
  queryKey: ['workflow', 'compared', workflowInstanceId, logId, workItemId] as const,
  queryFn: ({ signal }: Context) =>
    get(
      '/api/runtime/workflow/log_compare',
      { workflowInstanceId, logId, ...(workItemId && { workItemId }) },
      { signal },
    ),
  retry: false,
})

/** The address of what a step of an instance's log changed; without a task of the reader its place holds a dash. */
export const comparePath = (logId: number, workflowInstanceId: string, workItemId = '-') =>
  `/from/operation-log-compare/${logId}/${encodeURIComponent(workflowInstanceId)}/${encodeURIComponent(workItemId)}`
