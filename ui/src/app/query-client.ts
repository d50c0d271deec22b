import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '@/api/client'

/** A refusal is an answer: only a missing connection is tried again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => error instanceof ApiError && error.code === 0 && count < 2,
      staleTime: 30_000,
      refetchOnWindowFocus: false,
    },
  },
})
