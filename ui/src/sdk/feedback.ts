import { App, Button } from 'antd'
import { createElement, Fragment, useEffect, useMemo } from 'react'
import { useErrorText } from './error-text'

/** Messages of all pages: one is seen at a time, for two seconds unless it says otherwise. */
export const MESSAGES = { maxCount: 1, duration: 2 } as const

/** Warnings and errors are read more slowly. */
const GRAVE = 3

const LINK = 8

interface Link {
  label: string
  run: () => void
}

/** Short messages: warnings and errors stay for three seconds unless told otherwise. */
export function useFeedback() {
  const { message, modal } = App.useApp()
  const errorText = useErrorText()
  // biome-ignore lint/correctness/useExhaustiveDependencies: errorText only depends on the language, which message follows
  return useMemo(
    () => ({
      /** With a link to what can be done about it, the message stays long enough to press it. */
      success: (text: string, link?: Link | null, seconds = LINK) =>
        void (link
          ? message.success({ content: withLink(text, link, () => message.destroy()), duration: seconds })
          : message.success(text)),
      warning: (text: string, seconds?: number, link?: Link) =>
        void (link
          ? message.warning({ content: withLink(text, link, () => message.destroy()), duration: seconds ?? LINK })
          : message.warning(text, seconds ?? GRAVE)),
      error: (error: unknown) => void message.error(typeof error === 'string' ? error : errorText(error), GRAVE),
      modal,
    }),
    [message, modal],
  )
}

const withLink = (text: string, link: Link, close: () => void) =>
  createElement(
    Fragment,
    null,
    text,
    createElement(
      Button,
      {
        type: 'link',
        size: 'small',
        onClick: () => {
          close()
          link.run()
        },
      },
      link.label,
    ),
  )

/** Says what went wrong when it goes wrong, once; the page itself shows it for longer where something is missing. */
export function useSaid(error: unknown) {
  const say = useFeedback()
  useEffect(() => {
    if (error) say.error(error)
  }, [error, say])
}
