import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, it } from 'vitest'
import type { ListConfig } from '@/api/types'
import { rememberSize } from '@/sdk/page-size'
import { fakeServer } from '@/testing/fake-server'
import { prefetchList } from './prefetch'
import { savedFiltersQuery } from './queries'

const LIST = '/api/runtime/query/list'
const config = {
  schemaCode: 'lot',
  queryCode: 'lots',
  searchable: true,
  queryConditions: [],
  queryColumns: [],
  queryActions: [],
  queryPresentation: { presentationType: 'table', fixedLeftColumns: [], fixedRightColumns: [], queryPanelColumns: 3 },
} as unknown as ListConfig

beforeEach(() => localStorage.clear())

it('asks ahead for as many rows as the person wanted last', async () => {
  const { of } = fakeServer({
    '/api/organization/user/info': { id: 'u1', permissions: [] },
    '/api/runtime/query/headers': [],
    '/api/runtime/query/config': config,
    '/api/runtime/query/saved_filters': { content: [] },
    [LIST]: { content: [], totalElements: 0, aggregates: {}, next: null, previous: null },
  })
  rememberSize('lots', 'u1', 50)
  const context = Promise.resolve({ locale: 'zh' as const, zone: 'UTC' })
  const client = new QueryClient()
  await prefetchList(client, 'lot', new URLSearchParams(), context, false)
  // The panel of filters asks by the list's code: it has been asked for already.
  await client.fetchQuery(savedFiltersQuery('lot', 'lots'))
  expect(of('/api/runtime/query/saved_filters')).toHaveLength(1)
  expect(of(LIST).map(({ body }) => (body as { size: number }).size)).toEqual([50])
})
