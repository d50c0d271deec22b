import { type CellProps, defineProperty, displayFormatOf, element, type FieldPlan } from '@sluice/sdk'
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

/** What might be read as a division below, so that it cannot stand right behind one. */
const LIKE_DIVISION = /^\S{0,14}[省市区县旗盟州]/

/** A detail that begins with it would lose it. */
const MARK = /^[\s,，、;；/\\>|·-]/

/** As it is read back: all levels, whatever is shown of them; by the code where names would not say which division it is. */
function copyText({ code, province, city, district, detail }: Address): string {
  const names = [province, city, district].filter((part): part is string => Boolean(part))
  const clear =
    names.length > 0 &&
    new Set(names).size === names.length &&
    (names.length === 3 || !detail || !LIKE_DIVISION.test(detail)) &&
    !MARK.test(detail ?? '')
  if (clear) return [...names, ...(detail ? [detail] : [])].join(' ')
  return code && !detail ? code.padEnd(6, '0') : `${code ?? ''}// ${detail ?? ''}`
}

const Cell = ({ value, field }: CellProps<Address>) => <span title={text(value, field)}>{text(value, field)}</span>

export const property = defineProperty<Address>({
  name: 'Address',
  wire: 10,
  text,
  copyText,
  parseText: (text) => import('./parse').then((m) => m.parseText(text)),
  Cell,
  paint: (value, field) => element('span', { title: text(value, field) }, text(value, field)),
  ReadValue: Cell,
  Filter: lazy(() => import('./filter').then((m) => ({ default: m.Filter }))),
})
