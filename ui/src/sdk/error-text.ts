import { ApiError, NO_DATA } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { useText } from './use-text'

/** What an error says to people: the server's words, or ours when no server answered. */
export function useErrorText() {
  const t = useText()
  return (error: unknown): string => {
    if (error instanceof ApiError && error.code === NO_DATA) return t('common.noData')
    if (error instanceof ApiError && error.code !== 0) {
      if (error.message) return error.message
      return error.code === ERROR.Internal ? t('common.unknownError') : t('common.undefinedCode', { code: error.code })
    }
    if (error instanceof ApiError) return t('common.noConnection')
    return error instanceof Error ? error.message : String(error)
  }
}

/** The number under which the server's log has an error, where its words do not name it already. */
export function useRequestNote() {
  const t = useText()
  return (error: unknown): string | undefined => {
    if (!(error instanceof ApiError) || !error.requestId || error.message.includes(error.requestId)) return undefined
    return t('common.requestId', { id: error.requestId })
  }
}
