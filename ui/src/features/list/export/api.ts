import { deleteAt, get, post } from '@/api/client'
import type { components } from '@/api/schema.gen'

type Schemas = components['schemas']
export type ExportField = Schemas['ExportField']
export type ExportColumn = Schemas['ExportColumn']
export type ExportRequest = Schemas['ExportRequest']
export type ExportTask = Schemas['ExportTask']

type Context = { signal: AbortSignal }

export const fieldsQuery = (schemaCode: string, queryCode: string) => ({
  queryKey: ['list', schemaCode, 'export-fields', queryCode] as const,
  queryFn: ({ signal }: Context) => get('/api/runtime/export/fields', { schemaCode, queryCode }, { signal }),
  staleTime: 60_000,
})

/** The columns that the caller exported last of a list; null when there are none. */
export const historyQuery = (schemaCode: string, queryCode: string) => ({
  queryKey: ['list', schemaCode, 'export-history', queryCode] as const,
  queryFn: async ({ signal }: Context) => {
    const all = await get(
      '/api/runtime/export/history',
      { type: 'VIEW_EXPORT_QUERY', schemaCode, queryCode },
      { signal },
    )
    const last = all[0]
    if (!last) return null
    return { id: last.id, columns: (JSON.parse(last.queryCondition) as { columns: ExportColumn[] }).columns }
  },
  staleTime: 0,
  // The dialog begins with it: an earlier answer would be the one before the last.
  gcTime: 0,
})

const TASKS = ['export-tasks'] as const

export const tasksKey = TASKS

export const tasksQuery = (name: string, page: number, size: number) => ({
  queryKey: [...TASKS, name, page, size] as const,
  queryFn: ({ signal }: Context) => post('/api/runtime/export/tasks', { name, page, size }, { signal }),
})

export const readTask = (id: string) => get('/api/runtime/export/progress', { id })

export const startExport = (request: ExportRequest) => post('/api/runtime/export/start', request)

export const deleteTask = (id: string) =>
  deleteAt('/api/runtime/export/tasks?id={id}' as '/api/runtime/export/tasks', { id })

export const retryExport = (job: string) => post(`/api/jobs/${job}/retry` as '/api/jobs/{id}/retry')
export const cancelExport = (job: string) => post(`/api/jobs/${job}/cancel` as '/api/jobs/{id}/cancel')

/** Has the browser save a file, which it streams to the disk. The call before it renews a session that has run out. */
export async function download(id: string): Promise<void> {
  await readTask(id)
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
