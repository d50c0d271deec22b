import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { homeQuery } from '@/sdk/home'
import { type Place, visit } from './home-data'

/** Who only passes through has not opened a place. In milliseconds. */
const STAY = 1500

/** Remembers a place that is open; null = none yet. */
export function useVisit(place: Place | null) {
  const client = useQueryClient()
  const { kind, place: of, code } = place ?? {}
  useEffect(() => {
    if (!kind || !of || !code) return
    const timer = setTimeout(() => {
      void visit({ kind, place: of, code }).then(() =>
        client.invalidateQueries({ queryKey: homeQuery.queryKey, refetchType: 'none' }),
      )
    }, STAY)
    return () => clearTimeout(timer)
  }, [client, kind, of, code])
}
