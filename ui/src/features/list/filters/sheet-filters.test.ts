// @vitest-environment node
import { describe, expect, it } from 'vitest'
import type { ColumnPlan } from '@/api/types'
import { rowFilters } from './sheet-filters'

const column = (propertyCode: string, ...operators: string[]) =>
  ({ propertyCode, propertyType: 0, operators }) as unknown as ColumnPlan
const sheet = {
  ...column('items'),
  childColumns: [
    column('item', 'Equal', 'Contains'),
    column('value', 'Equal', 'Between'),
    column('ok', 'Equal'),
    column('by', 'Equal', 'Contains', 'Have'),
  ],
} as ColumnPlan

describe('filters of sub-table rows', () => {
  it('compare as the property does: pattern, range, equal; a control may say otherwise', () => {
    const filters = rowFilters(sheet, {
      item: { value: 'a' },
      value: { value: '1;2' },
      ok: { value: 'true' },
      by: { value: 'u', operator: 'In' },
      gone: { value: 'x' },
    })
    expect(filters.map((one) => `${one.propertyCode} ${one.queryFilterType} ${one.propertyValue}`)).toEqual([
      'item Contains a',
      'value Between 1;2',
      'ok Equal true',
      'by In u',
    ])
  })
})
