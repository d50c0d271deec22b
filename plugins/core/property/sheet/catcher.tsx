import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import styles from './grid.module.css'

interface CatcherProps {
  label: string
  /** Changes whenever the keyboard is called here. */
  called: number
  readOnly: boolean
  invalid: boolean
  onKey: (event: KeyboardEvent) => void
  /** A text was typed, by an input method too. */
  onText: (text: string) => void
  onCopy: (event: ClipboardEvent, cut: boolean) => void
  onPaste: (event: ClipboardEvent) => void
}

/**
 * Where the keyboard stands while a cell is selected: a field without looks, because only in a field can an input method begin,
 * and only there do browsers copy and paste. What is typed shows in the cell and opens its widget once it is a text.
 */
export function Catcher({ label, called, readOnly, invalid, onKey, onText, onCopy, onPaste }: CatcherProps) {
  const input = useRef<HTMLTextAreaElement>(null)
  const [composing, setComposing] = useState(false)
  useEffect(() => {
    if (called > 0) input.current?.focus({ preventScroll: true })
  }, [called])
  const take = () => {
    const text = input.current?.value ?? ''
    if (input.current) input.current.value = ''
    if (text !== '') onText(text)
  }
  return (
    <textarea
      ref={input}
      className={styles.catcher}
      data-composing={composing || undefined}
      aria-label={label}
      aria-readonly={readOnly || undefined}
      aria-invalid={invalid || undefined}
      rows={1}
      autoComplete="off"
      spellCheck={false}
      onKeyDown={onKey}
      onInput={(event) => !(event.nativeEvent as InputEvent).isComposing && take()}
      onCompositionStart={() => setComposing(true)}
      onCompositionEnd={() => {
        setComposing(false)
        take()
      }}
      onCopy={(event) => onCopy(event, false)}
      onCut={(event) => onCopy(event, true)}
      onPaste={onPaste}
    />
  )
}
