import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Navigate, useLocation } from 'react-router'
import { ApiError } from '@/api/client'
import { useSession } from '@/api/session'
import { meQuery } from '@/sdk/me'
import { Crashed } from './crashed'

/** Lets people in who are signed in; the others go to sign-in and come back to where they were. */
export function Guard({ children }: { children: ReactNode }) {
  const status = useSession((state) => state.status)
  const client = useQueryClient()
  const { pathname, search } = useLocation()
  const me = useQuery({ ...meQuery, enabled: status !== 'out' })
  useEffect(() => {
    if (status === 'out') client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'system' })
  }, [status, client])
  const refused = me.error instanceof ApiError && me.error.status === 401
  if (status === 'out' || refused) {
    const from = pathname + search
    return <Navigate to={from === '/' ? '/login' : `/login?return=${encodeURIComponent(from)}`} replace />
  }
  if (me.error) return <Crashed error={me.error} />
  return me.data ? children : null
}
