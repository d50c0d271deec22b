import { post } from '@/api/client'
import type { WorkItem, WorkItemSearch } from '@/sdk/work-items'

const KEY = 'task.next'
const SEARCH = 'task.search'

/** Whether the next task opens after a decision, as the person chose last. */
export const opensNext = () => localStorage.getItem(KEY) === '1'
export const leaveNext = (on: boolean) => localStorage.setItem(KEY, on ? '1' : '0')

/** The list of tasks tells how it is narrowed and sorted: the next task is that list's. */
export const tellSearch = (search: WorkItemSearch) => sessionStorage.setItem(SEARCH, JSON.stringify(search))

/** The next task behind one that was handled, and how many are left. */
export async function nextTask(handled: string): Promise<{ task: WorkItem | undefined; left: number }> {
  let search: Partial<WorkItemSearch> = {}
  try {
    search = JSON.parse(sessionStorage.getItem(SEARCH) ?? '{}') as Partial<WorkItemSearch>
  } catch {} // what cannot be read narrows nothing
  const page = await post('/api/runtime/workitem/unfinished', { ...search, page: 0, size: 2 })
  const others = page.content.filter((item) => item.workItemId !== handled)
  return { task: others[0], left: page.totalElements - (page.content.length - others.length) }
}
