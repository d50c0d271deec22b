import { type CellProps, defineProperty, type FieldPlan, type FilterProps, numberSetting } from '@sluice/sdk'
import { Input } from 'antd'
import { inWords } from './dms'
import { texts } from './texts'

const words = (value: string, field: FieldPlan) => inWords(value, numberSetting(field, 'seconds') ?? 1)

const Cell = ({ value, field }: CellProps<string>) => <span className="survey-angle">{words(value, field)}</span>

/** The server reads degrees, and degrees with minutes and seconds: what is typed goes there as it is. */
function Filter({ id, operator, value, onChange, onSubmit }: FilterProps) {
  const t = texts.useText()
  const range = operator.includes('Between')
  const [from = '', to = ''] = (value?.value ?? '').split(';')
  const set = (next: string) => onChange(next.replace(';', '').trim() === '' ? null : { value: next })
  if (!range)
    return <Input id={id} value={from} onChange={(event) => set(event.target.value)} onPressEnter={onSubmit} />
  return (
    <span className="survey-range">
      <Input
        id={id}
        aria-label={t('from')}
        value={from}
        onChange={(event) => set(`${event.target.value};${to}`)}
        onPressEnter={onSubmit}
      />
      <Input
        aria-label={t('to')}
        value={to}
        onChange={(event) => set(`${from};${event.target.value}`)}
        onPressEnter={onSubmit}
      />
    </span>
  )
}

export const angle = defineProperty<string>({
  name: 'Angle',
  wire: 950,
  align: 'right',
  minWidth: 130,
  text: words,
  parseText: (text) => text.trim() || undefined,
  Cell,
  ReadValue: Cell,
  Filter,
  filterText: ({ value }) => value.replace(';', ' – '),
  form: () => import('./angle-form'),
})
