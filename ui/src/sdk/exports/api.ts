import { deleteAt, get, post } from '@/api/client'
import { isRefusal } from '@/api/refusal'
import type { components } from '@/api/schema.gen'

type Schemas = components['schemas']
export type ExportTask = Schemas['ExportTask']

type Context = { signal: AbortSignal }

const TASKS = ['export-tasks'] as const

export const tasksKey = TASKS

export const tasksQuery = (name: string, page: number, size: number) => ({
  queryKey: [...TASKS, name, page, size] as const,
  queryFn: ({ signal }: Context) => post('/api/runtime/export/tasks', { name, page, size }, { signal }),
})

export const readTask = (id: string) => get('/api/runtime/export/progress', { id })

export const deleteTask = (id: string) =>
  deleteAt('/api/runtime/export/tasks?id={id}' as '/api/runtime/export/tasks', { id })

export const retryExport = (job: string) => post(`/api/jobs/${job}/retry` as '/api/jobs/{id}/retry')
export const cancelExport = (job: string) => post(`/api/jobs/${job}/cancel` as '/api/jobs/{id}/cancel')

/** How long is waited before what got no answer is asked again, in milliseconds. */
const AGAIN = 2000
const TIMES = 5

/** What a question answers; one that gets no answer is asked again, a few times. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  for (let left = TIMES; ; left--) {
    try {
      return await ask()
    } catch (error) {
      if (left <= 1 || isRefusal(error)) throw error
      await new Promise((done) => setTimeout(done, AGAIN))
    }
  }
}

/** Has the browser save a file, which it streams to the disk. The call before it renews a session that has run out. */
export async function download(id: string): Promise<void> {
  await answered(() => readTask(id))
  const link = document.createElement('a')
  link.href = `/api/runtime/export/file?id=${encodeURIComponent(id)}`
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}

export const isOver = (task: Pick<ExportTask, 'exportResultStatus'>) => task.exportResultStatus !== null
export const hasFailed = ({ taskStatus }: Pick<ExportTask, 'taskStatus'>) =>
  taskStatus === 'FAIL' || taskStatus === 'EXCEPTION' || taskStatus === 'CHECK_ERROR'
/** Somebody stopped it: every other failure has its reason. */
export const wasCanceled = ({ taskStatus, error }: Pick<ExportTask, 'taskStatus' | 'error'>) =>
  taskStatus === 'FAIL' && error === null

const UNITS = ['KB', 'MB', 'GB'] as const

/** Bytes in KB, MB or GB with two decimal places, base 1024. */
export function sizeText(bytes: number): string {
  let value = bytes / 1024
  let unit = 0
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return `${value.toFixed(2)} ${UNITS[unit]}`
}
