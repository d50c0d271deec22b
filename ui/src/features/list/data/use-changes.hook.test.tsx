import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import type { ListPage, ListRequest, Row } from '@/api/types'
import type { ListController } from '../use-list-controller'
import { rowsQuery } from './queries'
import { useChanges } from './use-changes'

const heard: ((event: MessageEvent<string>) => void)[] = []
vi.mock('@/api/events', () => ({
  followEvents: ({ changes }: { changes: (event: MessageEvent<string>) => void }) => {
    heard.push(changes)
    return () => {}
  },
}))

const row = (id: string, name: string) => ({ id, version: 1, data: { name } }) as unknown as Row

it('a row that somebody else changed is read again through the hooks of the list with a script', async () => {
  const client = new QueryClient()
  const request = { schemaCode: 'lot', queryCode: 'lots', filters: [] } as ListRequest
  const marked = { ...row('a', 'new'), mark: { id: 'a', tone: 'error' } }
  const renew = vi.fn(async () => ({ content: [marked] }) as unknown as ListPage)
  const source = { view: 'v1', load: vi.fn(), renew }
  const { queryKey } = rowsQuery(request, null, source)
  client.setQueryData(queryKey, { content: [row('b', 'b'), row('a', 'old')], totalElements: 2 })
  const controller = {
    config: { schemaCode: 'lot', queryCode: 'lots', queryPresentation: { script: '/s.js' } },
    query: { isFetching: false },
    rows: [row('b', 'b'), row('a', 'old')],
    request,
    script: source,
    refresh: () => {},
  } as unknown as ListController
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(() => useChanges(controller), { wrapper })
  const changes = [
    { id: 'a', kind: 'update' },
    { id: 'gone', kind: 'update' },
  ]
  const event = new MessageEvent('changes', { data: JSON.stringify({ schemaCode: 'lot', changes, more: false }) })
  act(() => heard.at(-1)?.(event))
  await waitFor(() => expect(client.getQueryData<ListPage>(queryKey)?.content[1]).toEqual(marked))
  expect(renew).toHaveBeenCalledWith(request, ['a'], expect.any(AbortSignal))
  expect(client.getQueryData<ListPage>(queryKey)?.content[0]).toEqual(row('b', 'b'))
  expect(result.current.ids.size).toBe(2)
})
