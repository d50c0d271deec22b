import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import { fakeServer } from '@/testing/fake-server'
import type { ImportResult } from './api'
import { useImport } from './use-import'

vi.mock('@/api/events', () => ({ followEvents: () => () => {} }))

it('follows a job that was begun while an answer about the one before was under way', async () => {
  const before = { id: 'i1', jobId: 'j1', state: 'done' } as ImportResult
  const begun = { id: 'i1', jobId: 'j2', state: 'done' } as ImportResult
  let late = () => {}
  const answer = new Promise((resolve) => {
    late = () => resolve(before)
  })
  const server = fakeServer({ '/api/runtime/import/progress': () => answer })
  const client = new QueryClient()
  const ended = vi.fn()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(() => useImport('i1', ended), { wrapper })
  await waitFor(() => expect(server.calls).toHaveLength(1))
  await result.current.follow(begun)
  late()
  await answer
  await waitFor(() => expect(ended).toHaveBeenCalledWith(begun))
  expect(result.current.data).toEqual(begun)
})
