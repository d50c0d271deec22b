import { type FilterProps, shift, useText } from '@sluice/sdk'
import { InputNumber, Space } from 'antd'
import { useEffect, useState } from 'react'
import { isPercent } from './format'

/** A figure, or a range with one or both ends; ends are exact texts, percentages as people say them. */
export function Filter({ id, field, operator, value, onChange, onSubmit }: FilterProps) {
  const t = useText()
  const [from, setFrom] = useState<string | null>(null)
  const [to, setTo] = useState<string | null>(null)
  const places = isPercent(field) ? 2 : 0
  const range = operator === 'Between' || operator === 'NotBetween'
  useEffect(() => {
    const [low = '', high = ''] = value?.value.split(';') ?? []
    setFrom(low ? shift(low, places) : null)
    setTo(high ? shift(high, places) : null)
  }, [value, places])
  const take = () => {
    const wire = (end: string | null) => (end ? shift(end, -places) : '')
    const next = !range ? wire(from) : from || to ? `${wire(from)};${wire(to)}` : ''
    if (next !== (value?.value ?? '')) onChange(next ? { value: next } : null)
  }
  const ends = {
    stringMode: true,
    controls: false,
    ...(places ? { suffix: '%' } : {}),
    onBlur: take,
    style: { width: range ? '50%' : '100%' },
  } as const
  const enter = () => {
    take()
    onSubmit()
  }
  if (!range) return <InputNumber<string> {...ends} id={id} value={from} onChange={setFrom} onPressEnter={enter} />
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
