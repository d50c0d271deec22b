import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useSession } from '@/api/session'
import { loadLaterTexts } from '@/i18n/i18n'
import { clearUnsent } from '@/lib/unsaved-store'
import { meQuery } from '@/sdk/me'
import { knowsReader, systemConfigQuery, useSystemConfig, withoutReader } from '@/sdk/system'
import { Crashed } from './crashed'

const PasswordDuePage = lazy(() =>
  import('@/features/account/password-due-page').then((m) => ({ default: m.PasswordDuePage })),
)
const FactorDuePage = lazy(() =>
  Promise.all([import('@/features/account/factor-due-page'), loadLaterTexts()]).then(([m]) => ({
    default: m.FactorDuePage,
  })),
)
const SignInAgain = lazy(() => import('@/features/account/sign-in-again').then((m) => ({ default: m.SignInAgain })))

/** Another tab may have signed in as somebody else: nothing of this page is theirs. */
function useOnePerson(id: string | undefined) {
  const first = useRef<string>(undefined)
  useEffect(() => {
    if (!id) return
    if (first.current && first.current !== id) window.location.assign('/')
    clearUnsent(id) // a session that merely ended left what its person typed
    first.current = id
  }, [id])
}

/**
 * Lets people in who are signed in; the others go to sign-in and come back to where they were. When a session ends in the
 * middle of the work, the page stays as it is behind the question for the password.
 */
export function Guard({ children }: { children: ReactNode }) {
  const status = useSession((state) => state.status)
  const client = useQueryClient()
  const { pathname, search, hash } = useLocation()
  const me = useQuery({ ...meQuery, enabled: status === 'unknown' || status === 'in' })
  useOnePerson(me.data?.id)
  const gone = status === 'out' || (status === 'expired' && !me.data)
  const config = useSystemConfig()
  useEffect(() => {
    if (!gone) return
    client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'system' })
    client.setQueryData(systemConfigQuery.queryKey, withoutReader)
  }, [gone, client])
  const arrived = !!me.data && !!config && !knowsReader(config)
  useEffect(() => {
    if (arrived) void client.prefetchQuery({ ...systemConfigQuery, staleTime: 0 })
  }, [arrived, client])
  if (gone) {
    const from = pathname + search + hash
    return <Navigate to={from === '/' ? '/login' : `/login?return=${encodeURIComponent(from)}`} replace />
  }
  if (me.error && !me.data) return <Crashed error={me.error} />
  if (!me.data) return null
  if (me.data.mustChangePassword)
    return (
      <Suspense fallback={null}>
        <PasswordDuePage />
      </Suspense>
    )
  if (me.data.mustSetUpFactor)
    return (
      <Suspense fallback={null}>
        <FactorDuePage />
      </Suspense>
    )
  return (
    <>
      {children}
      <Suspense fallback={null}>{status === 'expired' && <SignInAgain />}</Suspense>
    </>
  )
}
