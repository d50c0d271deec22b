import { type FormWidgetProps, localName, useLocale, useText } from '@sluice/sdk'
import { type KeyboardEvent, useId } from 'react'
import styles from './logic.module.css'
import { parseText } from './words'

/** Yes, no, or neither yet: an empty value shows neither chosen. Choosing the chosen one again takes it back. */
export function FormWidget(props: FormWidgetProps<boolean>) {
  const { id, field, value, onChange, onBlur, describedBy, autoFocus, invalid, inCell } = props
  const t = useText()
  const locale = useLocale()
  const name = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const said = event.key.length === 1 && event.key !== ' ' ? parseText(event.key) : undefined
    const clears = value !== null && (event.key === 'Delete' || event.key === 'Backspace')
    if (said === undefined && !clears) return
    event.preventDefault()
    onChange(said ?? null)
  }
  return (
    <span
      id={id}
      role="radiogroup"
      aria-label={localName(field, locale)}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      className={styles.control}
      data-invalid={invalid || undefined}
      data-cell={inCell || undefined}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      {[true, false].map((answer) => (
        <label key={String(answer)} className={styles.answer} data-on={value === answer || undefined}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={value === answer}
            onChange={() => onChange(answer)}
            onClick={() => value === answer && onChange(null)}
            // biome-ignore lint/a11y/noAutofocus: the first field of a form
            autoFocus={answer && (autoFocus ?? false)}
          />
          {t(answer ? 'common.yes' : 'common.no')}
        </label>
      ))}
    </span>
  )
}
