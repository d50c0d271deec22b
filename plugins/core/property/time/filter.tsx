import type { FilterProps } from '@sluice/sdk'
import { TimePicker } from 'antd'
import dayjs from 'dayjs'
import { timeFormat } from './format'

export function Filter({ id, field, value, onChange }: FilterProps) {
  return (
    <TimePicker
      id={id}
      style={{ width: '100%' }}
      format={timeFormat(field)}
      value={value ? dayjs(`2000-01-01T${value.value}`) : null}
      onChange={(time) => onChange(time ? { value: time.format('HH:mm:ss') } : null)}
    />
  )
}
