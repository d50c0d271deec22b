import { act, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router'
import { expect, test } from 'vitest'
import { useSearch, withParams } from './use-search'

test('a change is made to the address as it is, though the one before is not drawn yet', async () => {
  let choose = (_: Record<string, string | null>) => {}
  function Page() {
    const [search, setSearch] = useSearch()
    choose = (changes) => setSearch((now) => withParams(now, changes), { replace: true })
    return <output>{`${search} ${useLocation().search}`}</output>
  }
  const router = createMemoryRouter([{ path: '*', element: <Page /> }], { initialEntries: ['/page?node=a'] })
  render(<RouterProvider router={router} />)
  await act(async () => {
    const first = choose
    first({ node: 'b' })
    await new Promise((go) => setTimeout(go, 20)) // the router is there, and React draws nothing within act
    expect(screen.getByRole('status').textContent).toBe('node=a ?node=a')
    expect(choose).toBe(first)
    choose({ tab: 'log' })
  })
  expect(screen.getByRole('status').textContent).toBe('node=b&tab=log ?node=b&tab=log')
  await act(async () => choose({ tab: null, node: '' }))
  expect(router.state.location.search).toBe('')
})
