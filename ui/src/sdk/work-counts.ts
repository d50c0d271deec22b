import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { get } from '@/api/client'
import { followEvents, isStreaming, watchStreaming } from '@/api/events'

/** How often the counts are asked for while the server's events do not come. */
const POLL = 60_000

export const workCountsQuery = {
  queryKey: ['workflow', 'counts'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/runtime/workitem/counts', undefined, { signal }),
}

/** How many tasks and copies wait for the reader. A task comes with a notification, so its event says when to ask again. */
export function useWorkCounts() {
  const client = useQueryClient()
  const streaming = useSyncExternalStore(watchStreaming, isStreaming)
  const { data } = useQuery({ ...workCountsQuery, refetchInterval: streaming ? false : POLL, retry: false })
  useEffect(() => {
    const ask = () => void client.invalidateQueries({ queryKey: ['workflow'] })
    return followEvents({ message: ask }, ask)
  }, [client])
  return data ?? { unfinished: 0, timeout: 0, unread: 0 }
}
