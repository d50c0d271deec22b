import {
  type CellProps,
  dateFormat,
  defineProperty,
  type FieldPlan,
  type FilterProps,
  formatDate,
  type TextContext,
  useText,
  useTextContext,
} from '@sluice/sdk'
import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'

function Cell({ value, field }: CellProps<string>) {
  const context = useTextContext()
  return <span className="tabular">{formatDate(value, field.displayFormat, context)}</span>
}

/** How finely people choose: a year, a month, or a day. */
function picker(field: FieldPlan): 'year' | 'month' | 'date' {
  const format = dateFormat(field.displayFormat)
  return format === 'yyyy' ? 'year' : format === 'yyyy-MM' ? 'month' : 'date'
}

/** A range of days; a chosen year or month means its first to its last day. */
function Filter({ id, field, value, onChange }: FilterProps) {
  const t = useText()
  const [from, to] = value?.value.split(';') ?? []
  const day = (text: string | undefined) => (text ? dayjs(text) : null)
  const unit = picker(field)
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

function filterText({ value }: { value: string }, field: FieldPlan, { locale }: TextContext): string {
  const [from = '', to = ''] = value.split(';')
  const short = { year: 4, month: 7, date: 10 }[picker(field)]
  const [a, b] = [from.slice(0, short), to.slice(0, short)]
  if (a && b) return a === b ? a : `${a} – ${b}`
  if (locale === 'zh') return a ? `${a} 起` : `${b} 止`
  return a ? `from ${a}` : `until ${b}`
}

export const property = defineProperty<string>({
  name: 'Date',
  wire: 3,
  text: (value, field, context) => formatDate(value, field.displayFormat, context),
  Cell,
  ReadValue: Cell,
  Filter,
  filterText,
})
