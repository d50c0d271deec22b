import { useQuery } from '@tanstack/react-query'
import { get } from '@/api/client'

export const meQuery = {
  queryKey: ['me'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/organization/user/info', undefined, { signal }),
  staleTime: 300_000,
  retry: false,
}

/** The person who is signed in. */
export function useMe() {
  return useQuery(meQuery).data
}
