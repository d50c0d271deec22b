import { type FilterProps, useText } from '@sluice/sdk'
import { InputNumber, Space } from 'antd'
import { useEffect, useState } from 'react'

/** A range with one or both ends; ends are exact texts. */
export function Filter({ id, value, onChange, onSubmit }: FilterProps) {
  const t = useText()
  const [from, setFrom] = useState<string | null>(null)
  const [to, setTo] = useState<string | null>(null)
  useEffect(() => {
    const [low = '', high = ''] = value?.value.split(';') ?? []
    setFrom(low || null)
    setTo(high || null)
  }, [value])
  const take = () => {
    const next = from || to ? `${from ?? ''};${to ?? ''}` : null
    if (next !== (value?.value ?? null)) onChange(next ? { value: next, operator: 'Between' } : null)
  }
  const ends = { stringMode: true, controls: false, onBlur: take, style: { width: '50%' } } as const
  const enter = () => {
    take()
    onSubmit()
  }
  return (
    <Space.Compact block>
      <InputNumber<string>
        {...ends}
        id={id}
        value={from}
        onChange={setFrom}
        onPressEnter={enter}
        placeholder={t('list.min')}
        aria-label={t('list.min')}
      />
      <InputNumber<string>
        {...ends}
        value={to}
        onChange={setTo}
        onPressEnter={enter}
        placeholder={t('list.max')}
        aria-label={t('list.max')}
      />
    </Space.Compact>
  )
}
