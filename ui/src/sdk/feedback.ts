import { App } from 'antd'
import { useEffect, useMemo } from 'react'
import { useErrorText } from './error-text'

/** Messages of all pages: one is seen at a time, for two seconds unless it says otherwise. */
export const MESSAGES = { maxCount: 1, duration: 2 } as const

/** Warnings and errors are read more slowly. */
const GRAVE = 3

/** Short messages: warnings and errors stay for three seconds unless told otherwise. */
export function useFeedback() {
  const { message, modal } = App.useApp()
  const errorText = useErrorText()
  // biome-ignore lint/correctness/useExhaustiveDependencies: errorText only depends on the language, which message follows
  return useMemo(
    () => ({
      success: (text: string) => void message.success(text),
      warning: (text: string, seconds = GRAVE) => void message.warning(text, seconds),
      error: (error: unknown) => void message.error(typeof error === 'string' ? error : errorText(error), GRAVE),
      modal,
    }),
    [message, modal],
  )
}

/** Says what went wrong when it goes wrong, once; the page itself shows it for longer where something is missing. */
export function useSaid(error: unknown) {
  const say = useFeedback()
  useEffect(() => {
    if (error) say.error(error)
  }, [error, say])
}
