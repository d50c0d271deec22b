import { type FilterProps, Icon, useText } from '@sluice/sdk'
import { Input } from 'antd'
import { useEffect, useState } from 'react'

/** A word to look for: taken over by Enter, by leaving the field and by clearing it. */
export function TextFilter({ id, value, onChange, onSubmit }: FilterProps) {
  const t = useText()
  const [text, setText] = useState(value?.value ?? '')
  useEffect(() => setText(value?.value ?? ''), [value])
  const take = (next: string) => {
    if (next.trim() !== (value?.value ?? '')) onChange(next.trim() ? { value: next.trim() } : null)
  }
  return (
    <Input
      id={id}
      allowClear
      maxLength={200}
      prefix={<Icon name="search" size={14} />}
      aria-label={t('common.search')}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        if (!event.target.value) take('')
      }}
      onBlur={() => take(text)}
      onPressEnter={() => {
        take(text)
        onSubmit()
      }}
    />
  )
}
