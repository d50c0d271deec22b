import type { QueryClient } from '@tanstack/react-query'
import { get } from '@/api/client'

/** What somebody is about to see, and a bundle may define. */
export interface Needs {
  wires?: number[]
  actions?: string[]
  views?: string[]
  /** Types of widgets. */
  widgets?: string[]
  /** `pack/page`. */
  page?: string
  /** A record of this model is opened. */
  record?: string
}

/** The bundles of the packs that the server has loaded. */
export const bundlesQuery = {
  queryKey: ['interfaces'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/runtime/interface/list', undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
}

/**
 * Loads the bundles that define what is needed and is not there. It never fails: what could not be loaded draws a placeholder. The registry with
 * all that it holds is read here and not before: pages ask for their data without it.
 */
export async function loadFor(client: QueryClient, needs: Needs): Promise<void> {
  const { loadMissing } = await import('./bundle-loader')
  await loadMissing(client, needs)
}
