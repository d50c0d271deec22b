import { type CellProps, defineProperty, displayFormatOf, type FieldPlan } from '@sluice/sdk'
import { lazy } from 'react'

export interface Address {
  code: string | null
  province: string | null
  city: string | null
  district: string | null
  detail: string | null
}

/** Municipalities name province and city alike; nobody says it twice. */
function text(value: Address, field: FieldPlan): string {
  const levels = { province: 1, 'province-city': 2 }[displayFormatOf(field) ?? ''] ?? 3
  const parts = [value.province, value.city, value.district]
    .slice(0, levels)
    .filter((part): part is string => Boolean(part))
  return [...new Set(parts), ...(levels === 3 && value.detail ? [value.detail] : [])].join('')
}

const Cell = ({ value, field }: CellProps<Address>) => <span title={text(value, field)}>{text(value, field)}</span>

export const property = defineProperty<Address>({
  name: 'Address',
  wire: 10,
  text,
  Cell,
  ReadValue: Cell,
  Filter: lazy(() => import('./filter').then((m) => ({ default: m.Filter }))),
})
