import { type FormWidgetProps, numberSetting, textSetting } from '@sluice/sdk'
import { Input } from 'antd'
import { useState } from 'react'
import { canonicalNumber, groupThousands, halfWidth } from './decimal'

/** An exact decimal: what is typed stays text, is grouped when the field is left, and never passes through a float. */
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
  const unit = textSetting(field, 'unit')
  const grouped = field.displayFormat === 'thousands'
  const shown = value === null ? '' : grouped ? groupThousands(value) : value
  const edit = (text: string) => {
    const plain = halfWidth(text).replace(/[,\s]/g, '')
    setTyped(plain)
    if (plain === '') onChange(null)
    else onChange(canonicalNumber(plain) ?? plain)
  }
  return (
    <Input
      id={id}
      inputMode={numberSetting(field, 'scale') === 0 ? 'numeric' : 'decimal'}
      value={typed ?? shown}
      onFocus={(event) => {
        const { currentTarget: input } = event
        const whole = input.value !== '' && input.selectionStart === 0 && input.selectionEnd === input.value.length
        setTyped(value ?? '')
        // Dropping the group marks would lose the selection that the Tab key made, and typing would then append.
        if (whole) requestAnimationFrame(() => input.select())
      }}
      onChange={(event) => edit(event.target.value)}
      onBlur={() => {
        setTyped(null)
        onBlur?.()
      }}
      suffix={unit ? <span style={{ color: 'var(--faint)' }}>{unit}</span> : undefined}
      styles={{ input: { textAlign: 'right', fontVariantNumeric: 'tabular-nums' } }}
      placeholder={placeholder}
      status={invalid ? 'error' : ''}
      variant={inCell ? 'borderless' : 'outlined'}
      autoFocus={autoFocus}
      aria-describedby={describedBy}
    />
  )
}
