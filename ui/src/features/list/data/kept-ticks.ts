import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import type { Row } from '@/api/types'
import type { ListStore } from '../list-store'

/** Where the ticked rows of an entry of the history are while its records are looked at on paper. */
const place = (key: string) => ['ticks', key]

/** Keeps what is ticked while somebody is at the preview of a print: who goes back finds it as it was. */
export function useKeptTicks(store: ListStore) {
  const cache = useQueryClient()
  const { key } = useLocation()
  const way = useNavigationType()
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the entry that the list was opened with; filters replace it
  useEffect(() => {
    const kept = cache.getQueryData<Row[]>(place(key))
    if (way === 'POP' && kept && store.getState().selected.size === 0) store.getState().select(kept)
  }, [])
  useEffect(
    () => () => {
      if (window.location.pathname !== '/print') return
      cache.setQueryDefaults(place(key), { gcTime: Number.POSITIVE_INFINITY })
      cache.setQueryData(place(key), [...store.getState().selected.values()])
    },
    [cache, key, store],
  )
}
