import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followEvents } from '@/api/events'
import { commentsQuery, type Place } from './api'

/** The comments of a record as far as they were loaded, from old to new, with what others write meanwhile. */
export function useComments(place: Place) {
  const client = useQueryClient()
  const query = useInfiniteQuery(commentsQuery(place))
  const { schemaCode, objectId } = place
  useEffect(() => {
    const ask = () => void client.invalidateQueries({ queryKey: ['comments', schemaCode, objectId] })
    const told = (event: MessageEvent<string>) => {
      const of = JSON.parse(event.data) as Place
      if (of.schemaCode === schemaCode && of.objectId === objectId) ask()
    }
    // The stream begins with "catalog": what was written before it began is asked for.
    return followEvents({ comments: told, catalog: ask }, ask, `comments:${schemaCode}/${objectId}`)
  }, [client, schemaCode, objectId])
  const pages = query.data?.pages ?? []
  return { ...query, comments: pages.toReversed().flatMap((page) => page.content), total: pages[0]?.totalElements ?? 0 }
}

export type Comments = ReturnType<typeof useComments>
