import type { FilterProps } from '@sluice/sdk'
import { TimePicker } from 'antd'
import dayjs from 'dayjs'
import { TextFilter } from '../shared/text-filter'
import { timeFormat } from './format'

/** A time of day; for "contains" a part of one, such as "08:". */
export function Filter(props: FilterProps) {
  const { id, field, operator, value, onChange } = props
  if (operator === 'Contains' || operator === 'NotContains') return <TextFilter {...props} />
  const time = value ? dayjs(`2000-01-01T${value.value}`) : null
  return (
    <TimePicker
      id={id}
      style={{ width: '100%' }}
      format={timeFormat(field)}
      value={time?.isValid() ? time : null}
      onChange={(next) => onChange(next ? { value: next.format('HH:mm:ss') } : null)}
    />
  )
}
