import { beforeEach, describe, expect, it } from 'vitest'
import type { ColumnPlan } from '@/api/types'
import {
  isShown,
  moveColumn,
  orderColumns,
  readSettings,
  readWidths,
  toggleColumn,
  writeSettings,
  writeWidth,
} from './column-settings'

const column = (propertyCode: string, visible = true): ColumnPlan => ({
  propertyCode,
  propertyType: 0,
  name: propertyCode,
  name_i18n: {},
  width: 176,
  sortable: true,
  visible,
})
const columns = ['a', 'b', 'c'].map((code) => column(code))
const none = { order: [], hidden: [], shown: [] }
const codes = (list: ColumnPlan[]) => list.map((item) => item.propertyCode).join('')

describe('column settings', () => {
  beforeEach(() => localStorage.clear())

  it('move a column and keep new ones where the definition puts them', () => {
    const moved = moveColumn(columns, none, 'c', 0)
    expect(codes(orderColumns(columns, moved))).toBe('cab')
    expect(codes(orderColumns([column('x'), ...columns], moved))).toBe('xcab')
    expect(codes(orderColumns([column('b'), column('c')], moved))).toBe('cb')
  })

  it('hide shown columns and show hidden ones', () => {
    const extra = column('d', false)
    const first = columns[0] as ColumnPlan
    const changed = toggleColumn(extra, toggleColumn(first, none))
    expect([isShown(first, changed), isShown(extra, changed)]).toEqual([false, true])
    expect(toggleColumn(first, changed).hidden).toEqual([])
  })

  it('are remembered per list, widths per model', () => {
    writeSettings('lot', 'q1', { ...none, hidden: ['a'] })
    writeWidth('lot', 'a', 240)
    expect(readSettings('lot', 'q1').hidden).toEqual(['a'])
    expect(readSettings('lot', 'q2')).toEqual(none)
    expect(readWidths('lot')).toEqual({ a: 240 })
    expect(Object.keys(localStorage).sort()).toEqual(['lot_columns_options', 'lot_width_records'])
  })

  it('survive a broken storage', () => {
    localStorage.setItem('lot_columns_options', '[nonsense')
    expect(readSettings('lot', 'q1')).toEqual(none)
  })
})
