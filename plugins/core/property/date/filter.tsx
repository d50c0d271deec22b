import {
  dateFormat,
  displayFormatOf,
  type FilterProps,
  formatInstant,
  isInstantFormat,
  isRelative,
  relativeRange,
  useText,
  useTextContext,
} from '@sluice/sdk'
import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { granularity } from './granularity'
import { Presets } from './presets'
import styles from './presets.module.css'
import { endText, shownEnds } from './range'

/** A day or a range of them, with words that move with the calendar; a chosen year or month means all of its days. */
export function Filter({ id, field, operator, value, onChange }: FilterProps) {
  const t = useText()
  const context = useTextContext()
  const [open, setOpen] = useState(false)
  const unit = granularity(field)
  const format = dateFormat(displayFormatOf(field))
  const timed = unit === 'date' && isInstantFormat(format) && format.startsWith('yyyy')
  const today = formatInstant(new Date().toISOString(), 'yyyy-MM-dd', context)
  const range = operator === 'Between' || operator === 'NotBetween'
  const word = value && isRelative(value.value) ? value.value : null
  const [from, to] = word ? (relativeRange(word, today) ?? []) : shownEnds(value?.value ?? '', context)
  const moment = (text: string | undefined) => {
    const at = text ? dayjs(text) : null
    return at?.isValid() ? at : null
  }
  const wire = (end: Dayjs | null, last: boolean) => (end ? endText(end, unit, timed, last) : '')
  const presets = () => (
    <Presets
      word={word}
      onChoose={(next) => {
        onChange({ value: next })
        setOpen(false)
      }}
    />
  )
  const common = {
    picker: unit,
    open,
    onOpenChange: setOpen,
    renderExtraFooter: presets,
    style: { width: '100%' },
  } as const
  if (!range) {
    return (
      <DatePicker
        {...common}
        id={id}
        {...(timed ? { showTime: { format: 'HH:mm' } } : {})}
        placeholder={t('list.choose')}
        value={moment(from)}
        onChange={(next: Dayjs | null) => onChange(next ? { value: wire(next, false) } : null)}
      />
    )
  }
  return (
    <DatePicker.RangePicker
      {...common}
      className={`${styles.range} ${value ? '' : styles.empty}`}
      suffixIcon={null}
      separator="–"
      id={{ start: id, end: `${id}-end` }}
      {...(timed ? { showTime: { format: 'HH:mm', defaultOpenValue: [firstMinute, lastMinute] } } : {})}
      allowEmpty={[true, true]}
      placeholder={[t('list.from'), t('list.to')]}
      value={[moment(from), moment(to)]}
      onChange={(next) => {
        const text = `${wire(next?.[0] ?? null, false)};${wire(next?.[1] ?? null, true)}`
        onChange(text === ';' ? null : { value: text })
      }}
    />
  )
}

const firstMinute = dayjs('2000-01-01T00:00')
const lastMinute = dayjs('2000-01-01T23:59')
