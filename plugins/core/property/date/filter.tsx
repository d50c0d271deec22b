import { type FilterProps, useText } from '@sluice/sdk'
import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { granularity } from './granularity'

/** A range of days; a chosen year or month means its first to its last day. */
export function Filter({ id, field, value, onChange }: FilterProps) {
  const t = useText()
  const [from, to] = value?.value.split(';') ?? []
  const day = (text: string | undefined) => (text ? dayjs(text) : null)
  const unit = granularity(field)
  const edge = (end: Dayjs | null, last: boolean) => {
    if (!end) return ''
    const span = unit === 'date' ? 'day' : unit
    return (last ? end.endOf(span) : end.startOf(span)).format('YYYY-MM-DD')
  }
  return (
    <DatePicker.RangePicker
      id={{ start: id, end: `${id}-end` }}
      picker={unit}
      allowEmpty={[true, true]}
      style={{ width: '100%' }}
      placeholder={[t('list.from'), t('list.to')]}
      value={[day(from), day(to)]}
      onChange={(range) => {
        const next = `${edge(range?.[0] ?? null, false)};${edge(range?.[1] ?? null, true)}`
        onChange(next === ';' ? null : { value: next, operator: 'Between' })
      }}
    />
  )
}
