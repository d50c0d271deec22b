import type { QueryClient } from '@tanstack/react-query'
import { meQuery } from '@/sdk/me'
import type { TextContext } from '@/sdk/property'
import { configQuery, fetchRows, headersQuery, rowsQuery, savedFiltersQuery } from './queries'

/** What the answers are read with comes beside them: the pages before the sign-in need none of it. */
const reading = () => Promise.all([import('./start-view'), import('./list-request'), import('./url-state')])

/** Asks for a list before its page is there to draw it: the answers wait in the cache. */
export async function prefetchList(
  client: QueryClient,
  schemaCode: string,
  search: URLSearchParams,
  context: Promise<TextContext>,
  mobile: boolean,
) {
  if (!mobile) void client.prefetchQuery(headersQuery(schemaCode))
  const queryCode = search.get('queryCode')
  const [[{ startView }, { askFor, pageSize }, { readView }], config, saved, me] = await Promise.all([
    reading(),
    client.fetchQuery(configQuery(schemaCode, queryCode)),
    client.fetchQuery(savedFiltersQuery(schemaCode, queryCode)),
    client.fetchQuery(meQuery),
  ])
  if (config.queryPresentation.script) return // its hooks stand before the call
  const start = startView(config, search, saved.content, me.id, await context)
  const { request } = askFor(config, readView(start, pageSize(config, mobile)), mobile)
  await client.prefetchQuery(rowsQuery(request, null, { view: null, load: fetchRows }))
}
