import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { followEvents, isStreaming, watchStreaming } from '@/api/events'
import type { UnreadMessages } from '@/api/types'
import { unreadQuery } from './api'

/** How often the count is asked for while the server's events do not come. */
const POLL = 60_000

/** The unread messages, as they are now: the server tells each change, and is asked once a minute where its events do not come. */
export function useUnread(): UnreadMessages & { total: number } {
  const client = useQueryClient()
  const streaming = useSyncExternalStore(watchStreaming, isStreaming)
  const { data } = useQuery({ ...unreadQuery, refetchInterval: streaming ? false : POLL, retry: false })
  useEffect(() => {
    const ask = () => void client.invalidateQueries({ queryKey: ['messages'] })
    return followEvents(
      {
        message: (event) => {
          client.setQueryData(unreadQuery.queryKey, JSON.parse(event.data) as UnreadMessages)
          void client.invalidateQueries({ queryKey: ['messages', 'list'] })
        },
      },
      ask,
    )
  }, [client])
  const counts = data ?? { STATION: 0, COMMENT: 0 }
  return { ...counts, total: counts.STATION + counts.COMMENT }
}
