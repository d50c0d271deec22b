import { ApiError, NO_DATA } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { useText } from './use-text'

/** What an error says to people: the server's words, or ours when no server answered. */
export function useErrorText() {
  const t = useText()
  return (error: unknown): string => {
    if (error instanceof ApiError && error.code === NO_DATA) return t('common.noData')
    if (error instanceof ApiError && error.code !== 0) {
      if (error.message) return ruleOf(error) ?? error.message
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

const FIELD_FAULTS = 302_000

/** "2 fields need attention" says little where the fields aren't seen: a refusal by a rule of the model or its pack is a sentence of its own. */
function ruleOf({ code, data }: ApiError): string | undefined {
  if (code !== ERROR.RecordInvalid) return undefined
  const errors = (data as { errors?: { errcode: number; errmsg: string }[] } | null)?.errors ?? []
  if (errors.some(({ errcode }) => Math.floor(errcode / 1000) * 1000 === FIELD_FAULTS)) return undefined
  return [...new Set(errors.map(({ errmsg }) => errmsg))].join(' ') || undefined
}
