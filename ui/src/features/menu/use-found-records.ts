import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { MAX_SEARCHED, SEARCH_PAUSE, type SearchGroup, searchQuery } from './search-query'

const NONE: SearchGroup[] = []

/**
 * The records that a typed text finds. `pending`: the answer to the text is not there yet, and the groups are those of a text before it.
 * `ask` does not wait until the keys rest.
 */
export function useFoundRecords(typed: string, size: number) {
  const keyword = typed.trim().slice(0, MAX_SEARCHED)
  const [settled, setSettled] = useState(keyword)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(keyword), SEARCH_PAUSE)
    return () => clearTimeout(timer)
  }, [keyword])
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...searchQuery(settled, size),
    placeholderData: keepPreviousData,
  })
  const failed = settled === keyword && error !== null
  const answered = settled === keyword && data !== undefined && !isPlaceholderData
  const pending = keyword !== '' && !failed && !answered
  return {
    groups: keyword === '' || failed ? NONE : (data?.groups ?? NONE),
    left: answered && keyword !== '' ? (data?.left ?? []) : [],
    pending,
    error: failed ? error : null,
    again: () => void refetch(),
    ask: () => setSettled(keyword),
  }
}
