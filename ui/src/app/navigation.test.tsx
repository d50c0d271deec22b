import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { act, cleanup, render, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { post } from '@/api/client'
import { menuQuery } from '@/features/menu/queries'
import { appsQuery } from '@/sdk/home'

function Reading() {
  useQuery(appsQuery)
  useQuery(menuQuery('lock'))
  return null
}

function Writing() {
  const { mutate } = useMutation({ mutationFn: () => post('/api/login/logout') })
  return (
    <button type="button" onClick={() => mutate()}>
      write
    </button>
  )
}

describe('a change of the page', () => {
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })

  it('ends the reads that wait for an answer, and no write', async () => {
    const sent: { url: string; signal: AbortSignal | null }[] = []
    vi.stubGlobal('fetch', (url: string, { signal }: RequestInit) => {
      sent.push({ url, signal: signal ?? null })
      return new Promise<Response>(() => {})
    })
    const router = createMemoryRouter(
      [
        {
          path: '/',
          element: (
            <>
              <Reading />
              <Writing />
            </>
          ),
        },
        { path: '/other', element: null },
      ],
      { initialEntries: ['/'] },
    )
    const { getByRole } = render(
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    )
    act(() => getByRole('button').click())
    await waitFor(() => expect(sent).toHaveLength(3))
    expect(sent.some(({ signal }) => signal?.aborted)).toBe(false)
    await act(() => router.navigate('/other'))
    const aborted = sent.filter(({ signal }) => signal?.aborted).map(({ url }) => url)
    expect(aborted).toEqual(['/api/app/apppackage/list', '/api/app/function/tree?appCode=lock'])
  })
})
