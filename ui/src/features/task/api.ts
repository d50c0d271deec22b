import { get, post } from '@/api/client'
import type { components } from '@/api/schema.gen'
import type { Job } from '@/sdk/jobs'

type Schemas = components['schemas']
type System = Schemas['SystemJob']

/** A job of the reader's own, or with what those who look after the installation see of anybody's. */
export type Task = Job & Partial<Omit<System, keyof Job>>
export type JobOwner = Schemas['JobOwner']

type Context = { signal: AbortSignal }

export const PAGE = 20

export interface TaskFilter {
  state?: string
  kind?: string
  owner?: string
}

export interface TaskPageData {
  content: Task[]
  totalElements: number
}

/** Pages of the reader's own tasks, or of everybody's. */
export const tasksQuery = (all: boolean, page: number, filter: TaskFilter) => ({
  queryKey: ['tasks', all, page, filter] as const,
  queryFn: ({ signal }: Context): Promise<TaskPageData> =>
    all
      ? get('/api/system/jobs', { ...filter, page, size: PAGE }, { signal })
      : get('/api/jobs', { page, size: PAGE }, { signal }),
})

export const choicesQuery = {
  queryKey: ['tasks', 'choices'] as const,
  queryFn: ({ signal }: Context) => get('/api/system/jobs/choices', undefined, { signal }),
  staleTime: 30_000,
}

export const taskQuery = (all: boolean, id: string) => ({
  queryKey: ['tasks', 'one', all, id] as const,
  queryFn: ({ signal }: Context): Promise<Task> =>
    all
      ? get(`/api/system/jobs/${id}` as '/api/system/jobs/{id}', undefined, { signal })
      : get(`/api/jobs/${id}` as '/api/jobs/{id}', undefined, { signal }),
})

export const actOnTask = (all: boolean, id: string, act: 'cancel' | 'retry') =>
  all
    ? post(`/api/system/jobs/${id}/${act}` as '/api/system/jobs/{id}/cancel')
    : post(`/api/jobs/${id}/${act}` as '/api/jobs/{id}/cancel')
