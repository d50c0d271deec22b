import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ApiError, get, post } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { followEvents } from '@/api/events'
import type { components } from '@/api/schema.gen'

type Schemas = components['schemas']
export type Job = Schemas['Job']
export type JobProgress = Schemas['JobProgress']

type Context = { signal: AbortSignal }

export const jobQuery = (id: string) => ({
  queryKey: ['job', id] as const,
  queryFn: ({ signal }: Context) => get(`/api/jobs/${id}` as '/api/jobs/{id}', undefined, { signal }),
})

export const jobResultsQuery = (id: string, failed: boolean, page: number, size: number) => ({
  queryKey: ['job', id, 'results', failed, page, size] as const,
  queryFn: ({ signal }: Context) =>
    get(`/api/jobs/${id}/results` as '/api/jobs/{id}/results', { failed, page, size } as never, { signal }),
})

export const cancelJob = (id: string) => post(`/api/jobs/${id}/cancel` as '/api/jobs/{id}/cancel')
export const retryJob = (id: string) => post(`/api/jobs/${id}/retry` as '/api/jobs/{id}/retry')

export const isLive = (job: Pick<Job, 'state'>) => job.state === 'queued' || job.state === 'running'

/** Kinds of jobs that belong to an import. */
const IMPORTS = new Set(['import', 'import_undo'])

/** The page of the import that a job of the reader's own belongs to. */
export const importPath = (job: Pick<Job, 'id' | 'kind'>) =>
  IMPORTS.has(job.kind) ? `/tasks/import/${encodeURIComponent(job.id)}` : null

/** Whole percent; of a job whose amount of work is not known, nothing until it is done. */
export const percentOf = (job: Pick<Job, 'state' | 'done' | 'total'>) =>
  job.total ? Math.min(100, Math.floor((job.done / job.total) * 100)) : job.state === 'done' ? 100 : 0

/** Jobs that a part of the page shows, which then also tells their end. */
const shown = new Map<string, number>()

export const isShown = (id: string) => shown.has(id)

/** Says that a part of the page shows a job, until the answer is called. */
export function showJob(id: string): () => void {
  shown.set(id, (shown.get(id) ?? 0) + 1)
  return () => {
    const left = (shown.get(id) ?? 1) - 1
    if (left > 0) shown.set(id, left)
    else shown.delete(id)
  }
}

/** A job as it gets on: by events, and by asking when none come. `ended` runs once; `seen` tells that it was under way here. */
export function useJob(id: string, ended: (job: Job, seen: boolean) => void, gone: () => void): Job | undefined {
  const client = useQueryClient()
  const { data, error } = useQuery({
    ...jobQuery(id),
    refetchInterval: ({ state }) => (state.data && !isLive(state.data) ? false : 2000),
  })
  useEffect(() => {
    const reload = () => void client.invalidateQueries({ queryKey: ['job', id], exact: true })
    const onJob = (event: MessageEvent<string>) => {
      if ((JSON.parse(event.data) as { id: string }).id === id) reload()
    }
    return followEvents({ job: onJob }, reload)
  }, [client, id])
  useEffect(() => showJob(id), [id])
  const seen = useRef(false)
  const told = useRef(false)
  const over = data && !isLive(data)
  useEffect(() => {
    if (data && !over) {
      seen.current = true
      told.current = false // under way, perhaps once more
    }
    if (!over || told.current) return
    told.current = true
    ended(data, seen.current)
  }, [over, data, ended])
  const missing = error instanceof ApiError && error.code === ERROR.JobNotFound
  useEffect(() => {
    if (missing) gone() // another person's, who used this browser before
  }, [missing, gone])
  return data
}
