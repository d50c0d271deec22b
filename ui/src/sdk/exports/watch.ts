import type { QueryClient } from '@tanstack/react-query'
import { createStore } from 'zustand'
import { followEvents } from '@/api/events'
import { isRefusal } from '@/api/refusal'
import { download, type ExportTask, hasFailed, isOver, readTask, tasksKey, wasCanceled } from './api'

/** An export that was started, or tried again, in this tab. */
export interface Watched {
  id: string
  jobId: string
  name: string
  /** Null before the first answer. */
  task: ExportTask | null
  /** When it was started, by the clock of `Date.now`. */
  since: number
  /** The server answered that it has no such export for this person. */
  lost: boolean
  /** The last question got no answer; it is asked again. */
  silent: boolean
}

interface State {
  exports: Watched[]
  /** Whether a progress dialog is open: what ends is seen there. */
  inside: boolean
}

/** The exports of this tab; they go on whatever page is open. */
export const watchedExports = createStore<State>(() => ({ exports: [], inside: false }))

/** How a page says what became of an export. */
export interface Teller {
  client: QueryClient
  /** It is done, and no progress dialog shows it. */
  done: (task: ExportTask) => void
  /** The reason of the server, or null when there is no answer. */
  failed: (reason: string | null) => void
}

export const POLL = 2000
/** How long an export that is done stays in the dialog. */
export const LINGER = 1500
export const FIRST = 30
const STEP = 5
const STEP_TIME = 500
/** The last that is shown before the file is there. */
const LAST = 95

const change = (id: string, next: Partial<Watched>) =>
  watchedExports.setState(({ exports }) => ({
    exports: exports.map((one) => (one.id === id ? { ...one, ...next } : one)),
  }))

export const forget = (id: string) =>
  watchedExports.setState(({ exports }) => ({ exports: exports.filter((one) => one.id !== id) }))

export const isFailed = ({ task, lost }: Watched) => lost || (task !== null && hasFailed(task))
/** How many tasks come before one that is queued. */
export const aheadOf = ({ taskStatus, ahead }: ExportTask) => (taskStatus === 'INIT' ? ahead : 0)
export const isRunning = (one: Watched) => !isFailed(one) && !(one.task && isOver(one.task))

/** Percent: 30 while it is queued behind others, then as many as there are records done; where their number is not known yet, 5 each half second. */
export function percentOf({ task, since }: Pick<Watched, 'task' | 'since'>, now: number): number {
  if (task?.taskStatus === 'END') return 100
  if (task && task.total > 0 && task.done > 0) {
    return Math.min(LAST, FIRST + Math.floor(((LAST - FIRST) * task.done) / task.total))
  }
  if (task && aheadOf(task) > 0) return FIRST
  const steps = Math.max(0, Math.floor((now - since) / STEP_TIME))
  return Math.min(LAST, FIRST + STEP * steps)
}

const following = new Map<string, () => void>()

/** Follows an export until it ends: by events, and by asking every two seconds. Its file is saved as soon as it is there. */
export function watch({ id, jobId, name }: { id: string; jobId: string; name: string }, teller: Teller): void {
  forget(id)
  following.get(id)?.()
  const one: Watched = { id, jobId, name, task: null, since: Date.now(), lost: false, silent: false }
  watchedExports.setState(({ exports }) => ({ exports: [one, ...exports] }))
  let asking = false
  const ask = async () => {
    if (asking) return
    asking = true
    try {
      const task = await readTask(id)
      if (following.get(id) !== stop) return
      change(id, { task, silent: false })
      if (!isOver(task)) return
      stop()
      ended(task, teller)
    } catch (error) {
      if (following.get(id) !== stop) return
      // A lost answer says nothing of the file: only the state of the job decides.
      if (!isRefusal(error)) return change(id, { silent: true })
      stop()
      change(id, { lost: true })
      teller.failed(null)
    } finally {
      asking = false
    }
  }
  const timer = setInterval(ask, POLL)
  const unfollow = followEvents(
    {
      job: (event) => {
        if ((JSON.parse(event.data) as { id: string }).id === jobId) void ask()
      },
    },
    ask,
  )
  const stop = () => {
    clearInterval(timer)
    unfollow()
    if (following.get(id) === stop) following.delete(id)
  }
  following.set(id, stop)
}

function ended(task: ExportTask, { client, done, failed }: Teller) {
  const reload = () => void client.invalidateQueries({ queryKey: tasksKey })
  if (task.taskStatus !== 'END') {
    reload()
    if (!wasCanceled(task)) failed(task.error?.message ?? null)
    return
  }
  download(task.id).catch(() => failed(null))
  if (!watchedExports.getState().inside) done(task)
  setTimeout(() => {
    forget(task.id)
    reload()
  }, LINGER)
}
