import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { useMe } from '@/sdk/me'
import type { Handled } from '../api'
import { useFlowWords } from './words'

/** By whom and when a task was finished that somebody wanted to handle; undefined for other errors. */
export function useHandled() {
  const words = useFlowWords()
  const me = useMe()
  const { t } = words
  return (error: unknown): string | undefined => {
    if (!(error instanceof ApiError) || error.code !== ERROR.ItemFinished || !error.data) return undefined
    const { handledBy, handledTime, reason } = error.data as Handled
    if (!handledTime) return undefined
    const time = words.time(handledTime)
    if (!handledBy) return t(reason === 'unnamed' ? 'opinion.unnamedAt' : 'opinion.handledAt', { time })
    if (handledBy.id === me?.id) return t('opinion.handledSelf', { time })
    return t(reason === 'claimed' ? 'opinion.claimedBy' : 'opinion.handledBy', { name: handledBy.name, time })
  }
}
