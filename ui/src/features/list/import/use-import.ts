import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { followEvents } from '@/api/events'
import { showJob } from '@/sdk/jobs'
import { type ImportResult, progressQuery } from './api'

const live = (one: Pick<ImportResult, 'state'>) => one.state === 'queued' || one.state === 'running'

export { live as isLiveImport }

/** An import as it gets on: by the events of its job, and by asking when none come. `onEnd` runs once for each of its jobs that ends here. */
export function useImport(id: string | null, onEnd: (result: ImportResult) => void) {
  const client = useQueryClient()
  const query = useQuery({
    ...progressQuery(id ?? ''),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && !live(state.data) ? false : 2000),
  })
  const { data } = query
  const jobId = data?.jobId
  useEffect(() => {
    if (!jobId || !id) return
    const reload = () => void client.invalidateQueries({ queryKey: ['import', id], exact: true })
    const onJob = (event: MessageEvent<string>) => {
      if ((JSON.parse(event.data) as { id: string }).id === jobId) reload()
    }
    const gone = showJob(jobId)
    const unfollow = followEvents({ job: onJob }, reload)
    return () => {
      gone()
      unfollow()
    }
  }, [client, id, jobId])
  const seen = useRef(new Set<string>())
  const ended = useRef(onEnd)
  ended.current = onEnd
  useEffect(() => {
    if (!data) return
    if (live(data)) seen.current.add(data.jobId)
    else if (id === data.id && seen.current.delete(data.jobId)) ended.current(data)
  }, [data, id])
  const follow = useCallback(
    async (begun: ImportResult) => {
      seen.current.add(begun.jobId)
      const queryKey = ['import', begun.id]
      await client.cancelQueries({ queryKey, exact: true }) // it may tell of the job before
      client.setQueryData(queryKey, begun)
    },
    [client],
  )
  return {
    ...query,
    /** A job of this import has been begun here: its end is told, however soon it comes. */
    follow,
  }
}
