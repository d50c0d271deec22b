import { useQuery } from '@tanstack/react-query'
import { AppListPage } from '@/features/menu/app-list-page'
import { homeSearch } from '@/features/workflow/center/home-search'
import { HomeTasks } from '@/features/workflow/center/home-tasks'
import { systemConfigQuery } from '@/sdk/system'
import { itemsQuery } from '@/sdk/work-items'

/** Where a person begins: their tasks above what they come for. Nothing is drawn before the tasks are there, so nothing moves. */
export function HomePage() {
  const { data: config, isPending } = useQuery(systemConfigQuery)
  const appCode = config?.appCode ?? undefined
  const tasks = useQuery({ ...itemsQuery('unfinished', homeSearch(appCode)), enabled: !isPending, retry: false })
  return <AppListPage waits={tasks.isPending} tasks={<HomeTasks tasks={tasks} appCode={appCode} />} />
}
