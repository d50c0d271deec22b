import { type FormWidgetProps, numberSetting } from '@sluice/sdk'
import { Input } from 'antd'
import { useState } from 'react'
import { inWords } from './dms'

/** A box for degrees, or degrees, minutes and seconds. What is typed stays until the person leaves the box. */
export function FormWidget({
  id,
  field,
  value,
  onChange,
  onBlur,
  invalid,
  describedBy,
  autoFocus,
}: FormWidgetProps<string>) {
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? (value === null ? '' : inWords(value, numberSetting(field, 'seconds') ?? 1))
  return (
    <Input
      id={id}
      value={shown}
      placeholder="121°28′13.4″"
      aria-describedby={describedBy}
      {...(invalid ? { status: 'error' as const } : {})}
      autoFocus={autoFocus ?? false}
      onChange={(event) => {
        setTyped(event.target.value)
        onChange(event.target.value.trim() || null)
      }}
      onBlur={() => {
        setTyped(null)
        onBlur?.()
      }}
    />
  )
}
