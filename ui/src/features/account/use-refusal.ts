import { useEffect, useMemo, useState } from 'react'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { useErrorText } from '@/sdk/error-text'
import { useText } from '@/sdk/use-text'

const TOO_MANY_ATTEMPTS = ERROR.TooManyAttempts

function retryAfter(error: unknown): number {
  const data = error instanceof ApiError ? (error.data as { retryAfter?: number } | null) : null
  return data?.retryAfter ?? 0
}

/**
 * What a refused try says, and for how many more seconds another one is useless. The words do not count down, for screen
 * readers say them whenever they change; they go when the wait is over.
 */
export function useRefusal(error: unknown): { text: string | null; seconds: number } {
  const t = useText()
  const errorText = useErrorText()
  const [now, setNow] = useState(Date.now)
  const until = useMemo(() => Date.now() + retryAfter(error) * 1000, [error])
  useEffect(() => {
    if (until <= Date.now()) return
    setNow(Date.now())
    const timer = setInterval(() => {
      const tick = Date.now()
      setNow(tick)
      if (tick >= until) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [until])
  if (!error) return { text: null, seconds: 0 }
  if (retryAfter(error) === 0) return { text: errorText(error), seconds: 0 }
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  if (seconds === 0) return { text: null, seconds }
  const tooMany = error instanceof ApiError && error.code === TOO_MANY_ATTEMPTS
  return { text: tooMany ? t('session.tooMany') : errorText(error), seconds }
}
