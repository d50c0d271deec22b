import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import styles from './grid.module.css'
import { HEAD, ROW } from './use-row-window'

interface KeyboardTargetProps {
  /** The cell that it covers; missing while there are no rows. */
  row?: number
  column?: number
  /** The cell's element id, for screen readers. */
  cell?: string | undefined
  label: string
  /** Changes whenever the keyboard is called here. */
  called: number
  /** A cell is being edited: its widget has the keyboard. */
  editing: boolean
  readOnly: boolean
  invalid: boolean
  onKey: (event: KeyboardEvent) => void
  /** A text was typed, by an input method too. */
  onText: (text: string) => void
  onCopy: (event: ClipboardEvent, cut: boolean) => void
  onPaste: (event: ClipboardEvent) => void
}

/**
 * Where the keyboard is while a cell is selected: a field without looks, because only in a field can an input method begin,
 * and only there do browsers copy and paste. What is typed shows in the cell and opens its widget once it is a text. It is moved
 * over the cells and never drawn in another one: a focus that goes and comes costs the styles and the layout of the whole page.
 */
export function KeyboardTarget(props: KeyboardTargetProps) {
  const { row, column, cell, label, called, editing, readOnly, invalid, onKey, onText, onCopy, onPaste } = props
  const input = useRef<HTMLTextAreaElement>(null)
  const [composing, setComposing] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is called, not let in when an editor closes
  useEffect(() => {
    if (called > 0 && !editing && document.activeElement !== input.current)
      input.current?.focus({ preventScroll: true })
  }, [called])
  const take = () => {
    const text = input.current?.value ?? ''
    if (input.current) input.current.value = ''
    if (text !== '') onText(text)
  }
  const text = (
    <textarea
      ref={input}
      className={styles.catcher}
      style={column === undefined ? undefined : { gridColumn: column + 2 }}
      data-composing={composing || undefined}
      data-keys={row === undefined ? undefined : `${row}:${column}`}
      aria-label={label}
      aria-activedescendant={cell}
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
  if (row === undefined) return text
  return (
    <div className={styles.keys} style={{ top: HEAD + row * ROW }}>
      {text}
    </div>
  )
}
