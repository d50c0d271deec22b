import { App } from 'antd'
import { useMemo } from 'react'
import { useErrorText } from './error-text'

/** Short messages: one at a time, two seconds, warnings and errors three unless told otherwise. */
export function useFeedback() {
  const { message, modal } = App.useApp()
  const errorText = useErrorText()
  // biome-ignore lint/correctness/useExhaustiveDependencies: errorText only depends on the language, which message follows
  return useMemo(
    () => ({
      success: (text: string) => void message.success(text),
      warning: (text: string, seconds = 3) => void message.warning(text, seconds),
      error: (error: unknown) => void message.error(typeof error === 'string' ? error : errorText(error), 3),
      modal,
    }),
    [message, modal],
  )
}
