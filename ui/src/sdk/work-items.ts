import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { post } from '@/api/client'
import { followEvents } from '@/api/events'
import type { components } from '@/api/schema.gen'

type Schemas = components['schemas']
export type WorkItem = Schemas['WorkItem']
export type WorkItemSearch = Schemas['WorkItemSearch']
export type Instance = Schemas['WorkflowInstance']
export type InstanceSearch = Schemas['InstanceSearch']

type Context = { signal: AbortSignal }

/** The lists of tasks and copies. */
export const LISTS = ['unfinished', 'finished', 'unread', 'read'] as const
export type ListKind = (typeof LISTS)[number]

export const itemsQuery = (kind: ListKind, search: WorkItemSearch) => ({
  queryKey: ['workflow', 'items', kind, search] as const,
  queryFn: ({ signal }: Context) => post(`/api/runtime/workitem/${kind}`, search, { signal }),
  placeholderData: keepPreviousData,
})

export const instancesQuery = (all: boolean, search: InstanceSearch) => ({
  queryKey: ['workflow', 'instances', all, search] as const,
  queryFn: ({ signal }: Context) =>
    post(all ? '/api/runtime/workflow/query' : '/api/runtime/workflow/mine', search, { signal }),
  placeholderData: keepPreviousData,
})

/** The address of a task. */
export const taskPath = (item: Pick<WorkItem, 'workItemId' | 'workflowInstanceId'>) =>
  `/form/detail?${new URLSearchParams({ workItemId: item.workItemId, workflowInstanceId: item.workflowInstanceId })}`

/** The address of an instance's course; without a task of the reader its place holds a dash. */
export const trackPath = (workflowInstanceId: string, workItemId = '-') =>
  `/from/workflow-track/${encodeURIComponent(workflowInstanceId)}/${encodeURIComponent(workItemId)}`

/** The address of a list of tasks or copies, of one application where it is named. */
export function listPath(kind: ListKind, appCode?: string | null, more: Record<string, string> = {}) {
  const search = new URLSearchParams({ ...(appCode ? { appCode } : {}), ...more }).toString()
  return `/workflow-center/my-${kind}-workitem${search && `?${search}`}`
}

/** What lists of a person's work are called in documents. */
export type WorkSource = 'myUnfinished' | 'myFinished' | 'myRead' | 'myUnread' | 'myStart'

const KINDS: Record<Exclude<WorkSource, 'myStart'>, ListKind> = {
  myUnfinished: 'unfinished',
  myFinished: 'finished',
  myRead: 'read',
  myUnread: 'unread',
}

/** Where all of a list are. */
export const workPath = (source: WorkSource) =>
  source === 'myStart' ? '/workflow-center/my-instance' : listPath(KINDS[source])

/** A line of a list of work. */
export interface WorkLine {
  id: string
  to: string
  name: string
  /** The step that it waits at, or the state of what the person started. */
  step: { name: string; name_i18n?: Record<string, string> | null } | null
  state: Instance['state'] | null
  overdue: boolean
  time: string | null
}

const ofItem = (item: WorkItem): WorkLine => ({
  id: item.workItemId,
  to: taskPath(item),
  name: item.instanceName,
  step: { name: item.activityName, name_i18n: item.activityName_i18n },
  state: null,
  overdue: item.overdue,
  time: item.receiveTime,
})

const ofInstance = (one: Instance): WorkLine => ({
  id: one.workflowInstanceId,
  to: trackPath(one.workflowInstanceId),
  name: one.instanceName,
  step: null,
  state: one.state,
  overdue: false,
  time: one.startTime,
})

/** The newest work of the reader, by the time that it was received; the server's events renew it. */
export function useWork(source: WorkSource, size: number, workflowCode?: string) {
  const client = useQueryClient()
  const search = { page: 0, size, ...(workflowCode ? { workflowCode } : {}) }
  const started = source === 'myStart'
  const kind = started ? 'unfinished' : KINDS[source]
  const items = useQuery({ ...itemsQuery(kind, { ...search, sort: '-receiveTime' }), enabled: !started, retry: false })
  const instances = useQuery({ ...instancesQuery(false, search), enabled: started, retry: false })
  useEffect(() => {
    const ask = () => void client.invalidateQueries({ queryKey: ['workflow'] })
    return followEvents({ message: ask }, ask)
  }, [client])
  const { data, error, refetch } = started ? instances : items
  const lines = started ? instances.data?.content.map(ofInstance) : items.data?.content.map(ofItem)
  return { lines, total: data?.totalElements ?? 0, error, refetch: () => void refetch() }
}
