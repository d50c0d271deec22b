import type { QueryClient } from '@tanstack/react-query'
import { meQuery } from '@/sdk/me'
import type { TextContext } from '@/sdk/property'
import { configQuery, headersQuery, rowsQuery, savedFiltersQuery, server } from './queries'

/** What the answers are read with comes beside them: the pages before the sign-in need none of it. */
const reading = () => Promise.all([import('../start-view'), import('./list-request'), import('./url-state')])

/** Gets a script's worker ready, which reads the script itself; the page that runs it says what is wrong. */
async function readyWorker() {
  const [{ spareWorker }] = await Promise.all([import('@/sdk/script/host'), import('@/sdk/script/http')])
  spareWorker()
}

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
  // The panel asks by the list's own code: it is the list that an address without one names.
  if (!queryCode) client.setQueryData(savedFiltersQuery(schemaCode, config.queryCode).queryKey, saved)
  // The hooks of a script stand before the call. Most change nothing about it, so it is under way while the script is read.
  const { script } = config.queryPresentation
  if (script) readyWorker().catch(() => {})
  const start = startView(config, search, saved.content, me.id, await context)
  const { request } = askFor(config, readView(start, pageSize(config, mobile, me.id)), mobile)
  await client.prefetchQuery(rowsQuery(request, null, server))
}
