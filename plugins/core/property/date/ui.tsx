import {
  type CellProps,
  defineProperty,
  displayFormatOf,
  type FieldPlan,
  formatDate,
  type TextContext,
  useTextContext,
} from '@sluice/sdk'
import { lazy } from 'react'
import { granularity } from './granularity'

function Cell({ value, field }: CellProps<string>) {
  const context = useTextContext()
  return <span className="tabular">{formatDate(value, displayFormatOf(field), context)}</span>
}

function filterText({ value }: { value: string }, field: FieldPlan, { locale }: TextContext): string {
  const [from = '', to = ''] = value.split(';')
  const short = { year: 4, month: 7, date: 10 }[granularity(field)]
  const [a, b] = [from.slice(0, short), to.slice(0, short)]
  if (a && b) return a === b ? a : `${a} – ${b}`
  if (locale === 'zh') return a ? `${a} 起` : `${b} 止`
  return a ? `from ${a}` : `until ${b}`
}

export const property = defineProperty<string>({
  name: 'Date',
  wire: 3,
  says: 'date',
  text: (value, field, context) => formatDate(value, displayFormatOf(field), context),
  Cell,
  ReadValue: Cell,
  Filter: lazy(() => import('./filter').then((m) => ({ default: m.Filter }))),
  filterText,
})
