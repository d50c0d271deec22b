import { App } from 'antd'
import { useMemo } from 'react'
import { ApiError } from '@/api/client'
import { useText } from './use-text'

/** What an error says to people: the server's words, or ours when no server answered. */
export function useErrorText() {
  const t = useText()
  return (error: unknown): string => {
    if (error instanceof ApiError && error.code !== 0) return error.message
    if (error instanceof ApiError) return t('common.noConnection')
    return error instanceof Error ? error.message : String(error)
  }
}

/** Short messages: one at a time, two seconds, warnings three. */
export function useFeedback() {
  const { message, modal } = App.useApp()
  const errorText = useErrorText()
  // biome-ignore lint/correctness/useExhaustiveDependencies: errorText only depends on the language, which message follows
  return useMemo(
    () => ({
      success: (text: string) => void message.success(text),
      warning: (text: string) => void message.warning(text, 3),
      error: (error: unknown) => void message.error(typeof error === 'string' ? error : errorText(error), 3),
      modal,
    }),
    [message, modal],
  )
}
