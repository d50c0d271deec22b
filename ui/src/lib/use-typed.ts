import { type SyntheticEvent, useRef } from 'react'

const TEXT = new Set(['text', 'password', 'email', 'tel', 'url', 'number'])

/** A field whose text is lost with its dialog; what is searched for is not. */
const isText = (target: EventTarget): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && TEXT.has(target.type) && target.role !== 'combobox')

/**
 * Knows whether somebody typed into the fields inside an element: `watch` are props of the element, `typed` compares each field
 * with what it held when it was entered.
 */
export function useTyped() {
  const before = useRef(new Map<HTMLInputElement | HTMLTextAreaElement, string>())
  const enter = ({ target }: SyntheticEvent) => {
    if (isText(target) && !before.current.has(target)) before.current.set(target, target.value)
  }
  return {
    watch: { onFocusCapture: enter, onKeyDownCapture: enter, onPasteCapture: enter },
    typed: () => [...before.current].some(([field, text]) => field.isConnected && field.value !== text),
  }
}
