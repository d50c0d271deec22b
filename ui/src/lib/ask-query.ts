import { type FetchQueryOptions, type QueryClient, type QueryKey, QueryObserver } from '@tanstack/react-query'

/**
 * Fetches a query and waits for its answer. A query is given up when the last component that watches it goes away, and with it the
 * promise of QueryClient.fetchQuery: here the question itself counts as one that watches.
 */
export async function askQuery<Data, Key extends QueryKey>(
  client: QueryClient,
  options: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  const stop = new QueryObserver(client, { ...options, enabled: false }).subscribe(() => {})
  try {
    return await client.fetchQuery(options)
  } finally {
    stop()
  }
}
