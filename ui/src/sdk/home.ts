import { useQuery } from '@tanstack/react-query'
import { type DataOf, get } from '@/api/client'

type Context = { signal: AbortSignal }

/** The applications of the reader. */
export const appsQuery = {
  queryKey: ['apps'] as const,
  queryFn: ({ signal }: Context) => get('/api/app/apppackage/list', undefined, { signal }),
  staleTime: 300_000,
}

/** What the start page has: the places where the reader was, their favorites, what waits for them. */
export const homeQuery = {
  queryKey: ['home'] as const,
  queryFn: ({ signal }: Context) => get('/api/app/home', undefined, { signal }),
}

export type Home = DataOf<'/api/app/home', 'get'>
export type HomePlace = Home['pages'][number]

export const useApps = () => useQuery(appsQuery)

/** Where the reader was lately, the latest first. */
export function usePlaces(most: number) {
  const { data, error, refetch } = useQuery(homeQuery)
  const places = data && [...data.pages, ...data.records]
  return {
    places: places?.sort((a, b) => b.visitedTime.localeCompare(a.visitedTime)).slice(0, most),
    error,
    refetch: () => void refetch(),
  }
}
