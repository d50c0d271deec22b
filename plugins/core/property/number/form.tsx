import {
  canonical,
  displayFormatOf,
  type FormWidgetProps,
  halfWidth,
  numberSetting,
  shift,
  textSetting,
} from '@sluice/sdk'
import { Input } from 'antd'
import { useRef, useState } from 'react'
import { figure, formatNumber, isPercent } from './format'
import { parseText } from './parse'

export { check } from './check'

/**
 * An exact decimal: what is typed stays text, shows as it will be read when the field is left, and never passes through a
 * float. Percentages are typed as people say them: 10 for a stored 0.1. Below amounts in capitals is how they will read.
 */
export function FormWidget({
  id,
  field,
  value,
  onChange,
  onBlur,
  placeholder,
  invalid,
  describedBy,
  autoFocus,
  inCell,
}: FormWidgetProps<string>) {
  const [typed, setTyped] = useState<string | null>(null)
  /** The box has just been entered. */
  const entered = useRef(false)
  const percent = isPercent(field)
  const unit = [percent && '%', textSetting(field, 'unit')].filter(Boolean).join(' ')
  const edit = (text: string) => {
    entered.current = false
    const typed = halfWidth(text).replace(/\s/g, ' ')
    setTyped(typed)
    const plain = typed.trim()
    onChange(plain === '' ? null : (parseText(plain, field) ?? plain))
  }
  const readable = value !== null && canonical(value) !== null
  const raw = value === null ? '' : percent && readable ? shift(value, 2) : value
  // What the rounding of the display would change is shown as it is: nobody's digits disappear while editing.
  const shown = readable ? figure(value, field) : raw
  const same = canonical(shown.replaceAll(',', '')) === canonical(raw)
  const input = (
    <Input
      id={id}
      inputMode={numberSetting(field, 'scale') === 0 && !percent ? 'numeric' : 'decimal'}
      value={typed ?? (same ? shown : raw)}
      onFocus={(event) => {
        const { currentTarget: input } = event
        const whole = input.value !== '' && input.selectionStart === 0 && input.selectionEnd === input.value.length
        setTyped(raw)
        entered.current = true
        // Dropping the group marks would lose the selection that the Tab key made, and typing would then append.
        if (whole) requestAnimationFrame(() => entered.current && input.select()) // but not over what was typed since
      }}
      onClick={({ target }) => {
        // The figure is at the right: a press on the blank left of it means the box, not its beginning.
        if (!entered.current || !(target instanceof HTMLInputElement)) return
        entered.current = false
        if (target.selectionStart === 0 && target.selectionEnd === 0)
          target.setSelectionRange(target.value.length, target.value.length)
      }}
      onChange={(event) => edit(event.target.value)}
      onBlur={() => {
        setTyped(null)
        entered.current = false
        onBlur?.()
      }}
      suffix={unit ? <span style={{ color: 'var(--secondary)' }}>{unit}</span> : undefined}
      styles={{ input: { textAlign: 'right', fontVariantNumeric: 'tabular-nums' } }}
      placeholder={placeholder}
      status={invalid ? 'error' : ''}
      variant={inCell ? 'borderless' : 'outlined'}
      autoFocus={autoFocus}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
    />
  )
  if (inCell || displayFormatOf(field) !== 'capitals') return input
  return (
    <>
      {input}
      <output htmlFor={id} style={{ display: 'block', textAlign: 'right', color: 'var(--secondary)' }}>
        {readable && formatNumber(value, field)}
      </output>
    </>
  )
}
