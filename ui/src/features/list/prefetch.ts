import type { QueryClient } from '@tanstack/react-query'
import type { TextContext } from '@/sdk/property'
import { askFor, pageSize } from './list-request'
import { configQuery, fetchRows, headersQuery, rowsQuery } from './queries'
import { readView } from './url-state'

/** Asks for a list before its page is there to draw it: the answers wait in the cache. */
export async function prefetchList(
  client: QueryClient,
  schemaCode: string,
  search: URLSearchParams,
  context: Promise<TextContext>,
  mobile: boolean,
) {
  if (!mobile) void client.prefetchQuery(headersQuery(schemaCode))
  const config = await client.fetchQuery(configQuery(schemaCode, search.get('queryCode')))
  if (config.queryPresentation.script) return // its hooks stand around the call
  const { request } = askFor(config, readView(search, pageSize(config, mobile)), await context, mobile)
  await client.prefetchQuery(rowsQuery(request, null, { view: null, load: fetchRows }))
}
