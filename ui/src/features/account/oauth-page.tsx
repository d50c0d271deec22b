import { useMutation } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Navigate, useNavigate } from 'react-router'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { useLocale } from '@/i18n/locale'
import { returnPath } from '@/lib/address'
import { localName } from '@/lib/local-name'
import { useSearch } from '@/lib/use-search'
import { useSystemConfig } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { leaveTo, type ProviderAnswer, returnFrom, secondStepOf } from './api-sign-in'
import { noteArrival } from './arrived'
import { EntryFrame } from './components/entry-frame'
import { SecondStep } from './components/second-step'
import { errorAddress } from './login-error'

/** Runs a call once, also where effects run twice. */
function useOnce(run: () => void) {
  const ran = useRef(false)
  useEffect(() => {
    if (ran.current) return
    ran.current = true
    run()
  })
}

/** /oauth: sends the browser to a provider. Without one in the address there has to be only one. */
export function OauthPage() {
  const config = useSystemConfig()
  const [search] = useSearch()
  const back = returnPath(search.get('return')) ?? '/'
  if (!config) return null
  const wanted = search.get('provider')
  const providers = config.signInProviders
  const one = wanted ? providers.find((p) => p.code === wanted) : providers.length === 1 ? providers[0] : undefined
  if (!one && !wanted) return <Navigate to={`/login?return=${encodeURIComponent(back)}`} replace />
  if (!one) return <Navigate to={errorAddress(ERROR.ProviderUnknown)} replace />
  return <Leaving code={one.code} name={one} back={back} />
}

function Leaving({ code, name, back }: { code: string; name: Parameters<typeof localName>[0]; back: string }) {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const leaving = useMutation({
    mutationFn: () => leaveTo(code, back),
    onError: (error) => void navigate(errorAddress(codeOf(error)), { replace: true }),
  })
  useOnce(leaving.mutate)
  return (
    <EntryFrame title={t('session.leaving', { name: localName(name, locale) })}>
      <Skeleton active title={false} paragraph={{ rows: 2 }} />
    </EntryFrame>
  )
}

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : 0)

/**
 * /oauthCallback: where providers send browsers back to. What they bring is taken out of the address before anything else, so that
 * neither the history nor a copied address holds it.
 */
export function OauthCallbackPage() {
  const t = useText()
  const navigate = useNavigate()
  const [search] = useSearch()
  const [answer] = useState(() => readAnswer(search))
  const returning = useMutation({
    mutationFn: (given: ProviderAnswer) => returnFrom(given),
    onSuccess: ({ path, linked }) => {
      if (!linked) noteArrival()
      go(path)
    },
    onError: (error) => {
      if (!secondStepOf(error)) void navigate(errorAddress(codeOf(error)), { replace: true })
    },
  })
  const go = (path: string) => void navigate(returnPath(path) ?? '/', { replace: true })
  useOnce(() => {
    window.history.replaceState(window.history.state, '', '/oauthCallback')
    if (typeof answer === 'number') void navigate(errorAddress(answer), { replace: true })
    else returning.mutate(answer)
  })
  const second = secondStepOf(returning.error)
  if (second)
    return (
      <EntryFrame title={t('session.second.title')}>
        <SecondStep
          ticket={second.ticket}
          onDone={() => {
            noteArrival()
            go(second.return ?? '/')
          }}
          onBack={() => void navigate('/login', { replace: true })}
        />
      </EntryFrame>
    )
  return (
    <EntryFrame title={t('session.returning')}>
      <Skeleton active title={false} paragraph={{ rows: 2 }} />
    </EntryFrame>
  )
}

/** What a provider answered, or the code of what it refused with. */
function readAnswer(search: URLSearchParams): ProviderAnswer | number {
  const [state, code, iss] = [search.get('state'), search.get('code'), search.get('iss')]
  if (search.get('error')) return ERROR.SignInDenied
  if (!state || !code) return ERROR.SignInStale
  return iss === null ? { state, code } : { state, code, iss }
}
