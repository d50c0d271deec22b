import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { get } from '@/api/client'
import { followEvents, isStreaming, watchStreaming } from '@/api/events'

/** How often the counts are asked for while the server's events do not come. */
const POLL = 60_000

export const workCountsQuery = (appCode?: string | null) => ({
  queryKey: ['workflow', 'counts', appCode ?? ''] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    get('/api/runtime/workitem/counts', appCode ? { appCode } : undefined, { signal }),
})

/** How many tasks and copies wait for the reader, of one application where it is named. A task comes with a notification, so its event says when to ask again. */
export function useWorkCounts(appCode?: string | null) {
  const client = useQueryClient()
  const streaming = useSyncExternalStore(watchStreaming, isStreaming)
  const { data } = useQuery({ ...workCountsQuery(appCode), refetchInterval: streaming ? false : POLL, retry: false })
  useEffect(() => {
    const ask = () => void client.invalidateQueries({ queryKey: ['workflow'] })
    return followEvents({ message: ask }, ask)
  }, [client])
  return data ?? { unfinished: 0, timeout: 0, unread: 0 }
}
