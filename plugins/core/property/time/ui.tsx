import { type CellProps, defineProperty, element } from '@sluice/sdk'
import { lazy } from 'react'
import { showTime } from './format'

const Cell = ({ value, field }: CellProps<string>) => <span className="tabular">{showTime(value, field)}</span>

export const property = defineProperty<string>({
  name: 'Time',
  wire: 20,
  text: showTime,
  copyText: (value, field) => (value.endsWith(':00') ? showTime(value, field) : value),
  parseText: (text, _, context) => import('./parse').then((m) => m.parseText(text, context)),
  asks: () => 'time',
  Cell,
  paint: (value, field) => element('span', { className: 'tabular' }, showTime(value, field)),
  ReadValue: Cell,
  Filter: lazy(() => import('./filter').then((m) => ({ default: m.Filter }))),
  filterText: ({ value }, field) => (/^\d\d:\d\d(:\d\d)?$/.test(value) ? showTime(value, field) : value),
})
