import { useCallback, useContext, useMemo } from 'react'
import { UNSAFE_DataRouterContext as DataRouter, type NavigateOptions, useLocation, useNavigate } from 'react-router'

type Next = URLSearchParams | Record<string, string>
type SetSearch = (next: Next | ((now: URLSearchParams) => URLSearchParams), options?: NavigateOptions) => void

/**
 * The parameters of the address, and what changes them. A function is given the parameters as they are by then: the router draws
 * an address when there is time, so what is drawn, and the parameters beside it, may be those of the address before.
 */
export function useSearch(): readonly [URLSearchParams, SetSearch] {
  const { pathname, search: drawn } = useLocation()
  const search = useMemo(() => new URLSearchParams(drawn), [drawn])
  const router = useContext(DataRouter)?.router
  const navigate = useNavigate()
  const setSearch = useCallback<SetSearch>(
    (next, options) => {
      const at = router?.state.location
      // A page that is drawn behind another one has an address of its own.
      const now = new URLSearchParams(at?.pathname === pathname ? at.search : drawn)
      void navigate(`?${typeof next === 'function' ? next(now) : new URLSearchParams(next)}`, options)
    },
    [router, pathname, drawn, navigate],
  )
  return [search, setSearch]
}

/** The parameters with some of them changed; what has no value is left out. */
export function withParams(now: URLSearchParams, changes: Record<string, string | null | undefined>): URLSearchParams {
  const next = new URLSearchParams(now)
  for (const [name, value] of Object.entries(changes))
    if (value) next.set(name, value)
    else next.delete(name)
  return next
}
