import {
  type CellProps,
  defineProperty,
  type FieldPlan,
  type FilterProps,
  type FilterValue,
  useText,
} from '@sluice/sdk'
import { InputNumber, Space } from 'antd'
import { useEffect, useState } from 'react'
import { formatNumber } from './format'

const Cell = ({ value, field }: CellProps<string>) => <span className="tabular">{formatNumber(value, field)}</span>

/** A range with one or both ends; ends are exact texts. */
function Filter({ id, value, onChange, onSubmit }: FilterProps) {
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

function filterText({ value }: FilterValue, field: FieldPlan): string {
  const [low, high] = value.split(';')
  const show = (end: string) => formatNumber(end, { ...field, settings: { ...field.settings, scale: undefined } })
  if (low && high) return `${show(low)} – ${show(high)}`
  return low ? `≥ ${show(low)}` : `≤ ${show(high ?? '')}`
}

export const property = defineProperty<string>({
  name: 'Number',
  wire: 2,
  align: 'right',
  text: (value, field) => formatNumber(value, field),
  Cell,
  ReadValue: Cell,
  Filter,
  filterText,
})
