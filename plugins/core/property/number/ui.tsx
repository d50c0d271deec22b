import { type CellProps, defineProperty, element, type FieldPlan, type FilterValue, shift } from '@sluice/sdk'
import { lazy } from 'react'
import { formatNumber, isPercent } from './format'

const Cell = ({ value, field }: CellProps<string>) => <span className="tabular">{formatNumber(value, field)}</span>

function filterText({ value }: FilterValue, field: FieldPlan): string {
  const [low = '', high] = value.split(';')
  const show = (end: string) => formatNumber(end, { ...field, settings: { ...field.settings, scale: undefined } })
  if (high === undefined) return low && show(low)
  if (low && high) return `${show(low)} – ${show(high)}`
  return low ? `≥ ${show(low)}` : `≤ ${show(high)}`
}

export const property = defineProperty<string>({
  name: 'Number',
  wire: 2,
  says: 'figure',
  align: 'right',
  text: (value, field) => formatNumber(value, field),
  copyText: (value, field) => (isPercent(field) ? `${shift(value, 2)}%` : value),
  parseText: (text, field) => import('./parse').then((m) => m.parseText(text, field)),
  Cell,
  paint: (value, field) => element('span', { className: 'tabular' }, formatNumber(value, field)),
  ReadValue: Cell,
  Filter: lazy(() => import('./filter').then((m) => ({ default: m.Filter }))),
  filterText,
})
