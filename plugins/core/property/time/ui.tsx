import { type CellProps, defineProperty, type FieldPlan, type FilterProps } from '@sluice/sdk'
import { TimePicker } from 'antd'
import dayjs from 'dayjs'

const short = (field: FieldPlan) => field.displayFormat === 'HH:mm'
const show = (value: string, field: FieldPlan) => (short(field) ? value.slice(0, 5) : value)

const Cell = ({ value, field }: CellProps<string>) => <span className="tabular">{show(value, field)}</span>

function Filter({ id, field, value, onChange }: FilterProps) {
  return (
    <TimePicker
      id={id}
      style={{ width: '100%' }}
      format={short(field) ? 'HH:mm' : 'HH:mm:ss'}
      value={value ? dayjs(`2000-01-01T${value.value}`) : null}
      onChange={(time) => onChange(time ? { value: time.format('HH:mm:ss') } : null)}
    />
  )
}

export const property = defineProperty<string>({
  name: 'Time',
  wire: 20,
  text: show,
  Cell,
  ReadValue: Cell,
  Filter,
  filterText: (value, field) => show(value.value, field),
})
