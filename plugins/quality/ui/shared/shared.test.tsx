import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { setLocale, startI18n } from '@/i18n/i18n'
import { addTexts } from '@/testing/texts'
import { texts } from '../texts'
import { writes } from './offers'
import { Ready } from './page-frame'
import { NodeReady } from './qbs-page'
import { useChosen } from './use-place'
import { outOf } from './words'

beforeAll(async () => {
  await startI18n()
  addTexts(texts)
  await setLocale('en')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Page() {
  const [chosen, choose] = useChosen()
  return (
    <>
      <p>at {chosen ?? 'the tree'}</p>
      {['a', 'b'].map((id) => (
        <button key={id} type="button" onClick={() => choose(id)}>
          {id}
        </button>
      ))}
      <button type="button" onClick={() => choose(null)}>
        back
      </button>
    </>
  )
}

it.each([true, false])('what is chosen on a phone (%s) is an entry that Back takes away', async (phone) => {
  vi.stubGlobal('matchMedia', () => ({ matches: phone, addEventListener: () => {}, removeEventListener: () => {} }))
  const router = createMemoryRouter(
    [
      { path: '/', element: <p>before</p> },
      { path: '/page', element: <Page /> },
    ],
    { initialEntries: ['/', '/page'] },
  )
  render(<RouterProvider router={router} />)
  fireEvent.click(screen.getByText('a'))
  await screen.findByText('at a')
  await router.navigate(-1)
  if (!phone) return void expect(await screen.findByText('before')).toBeDefined()
  await screen.findByText('at the tree')
  for (const id of ['a', 'b']) {
    fireEvent.click(screen.getByText(id))
    await screen.findByText(`at ${id}`)
  }
  fireEvent.click(screen.getByText('back'))
  await screen.findByText('at the tree')
  await router.navigate(-1)
  expect(await screen.findByText('before')).toBeDefined() // no second entry is left
})

it('says what failed while it is tried again', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: 2, retryDelay: 60_000 } } })
  function Asks() {
    return (
      <Ready query={useQuery({ queryKey: ['x'], queryFn: () => Promise.reject(new Error('gone')) })}>
        {() => null}
      </Ready>
    )
  }
  render(
    <QueryClientProvider client={client}>
      <Asks />
    </QueryClientProvider>,
  )
  expect(await screen.findByText('gone')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined()
})

it('a field that may only be read is not offered', () => {
  const form = { fields: [{ propertyCode: 'name', readOnly: true }, { propertyCode: 'code' }] }
  expect(['name', 'code', 'none'].map((code) => writes({ form } as never, code))).toEqual([false, true, false])
})

it('a node that somebody deleted is not shown any more, though it was read before', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  let content: unknown[] = [{ id: 'n1', data: { name: 'Slab' } }]
  vi.stubGlobal('fetch', async () => Response.json({ errcode: 0, errmsg: '', data: { content, totalElements: 1 } }))
  render(
    <QueryClientProvider client={client}>
      <NodeReady id="n1">{(node) => <p>{node.title}</p>}</NodeReady>
    </QueryClientProvider>,
  )
  await screen.findByText('Slab')
  content = []
  await client.invalidateQueries()
  await screen.findByText('There is no such node, or you may not see it')
  expect(screen.queryByText('Slab')).toBeNull()
})

it('a total of nothing, and one that nobody may see, is no zero', () => {
  expect([outOf(26, 29), outOf('0', '3'), outOf(0, 0), outOf(null, 3), outOf(undefined, undefined)]).toEqual([
    '26 of 29',
    '0 of 3',
    '–',
    '–',
    '–',
  ])
})
