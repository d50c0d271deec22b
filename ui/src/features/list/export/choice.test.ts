import { describe, expect, it } from 'vitest'
import { sizeText } from '@/sdk/exports/api'
import type { ExportField } from './api'
import {
  type Chosen,
  chosenOf,
  columnsOf,
  countOf,
  firstSource,
  mainState,
  moved,
  nameOf,
  stateOf,
  toggleChild,
  toggleField,
  toggleMain,
  toggleSheet,
} from './choice'

const field = (code: string, more: Partial<ExportField> = {}): ExportField => ({
  propertyCode: code,
  propertyType: 0,
  name: `${code}名`,
  name_i18n: { en: code.toUpperCase() },
  displayFormat: null,
  defaultProperty: false,
  listed: 0,
  usual: true,
  links: false,
  childColumns: [],
  ...more,
})
const fields = [
  field('a', { listed: 2 }),
  field('b', { listed: 1 }),
  field('paper', { usual: false, listed: 3, propertyType: 6 }),
  field('rows', {
    listed: 4,
    propertyType: 8,
    childColumns: [field('x', { listed: 2 }), field('y', { listed: 1 }), field('file', { usual: false })],
  }),
  field('c'),
]
const rows = fields[3] as ExportField
const codes = (chosen: Chosen[]) => chosen.map(({ code, children }) => [code, ...children].join(' '))

describe('the fields of an export', () => {
  it('begin with what was exported last, or with the list', () => {
    expect(firstSource(null)).toBe(1)
    expect(firstSource([])).toBe(2)
  })

  it('of all leave attachments out; of the list stand as there', () => {
    expect(codes(chosenOf(fields, 0, null))).toEqual(['a', 'b', 'rows x y', 'c'])
    expect(codes(chosenOf(fields, 1, null))).toEqual(['b', 'a', 'rows y x'])
  })

  it('of the last time are those that are still there', () => {
    const last = [
      { propertyCode: 'paper' },
      { propertyCode: 'gone' },
      { propertyCode: 'rows', childColumns: [{ propertyCode: 'y' }, { propertyCode: 'gone' }] },
    ]
    expect(codes(chosenOf(fields, 2, last))).toEqual(['paper', 'rows y'])
    expect(codes(chosenOf(fields, 2, [{ propertyCode: 'rows', childColumns: [] }]))).toEqual(['rows x y'])
  })

  it('of a sub-table bring it along, move it to the end, and take it with them', () => {
    let chosen = toggleChild(fields, [], 'rows', 'y')
    chosen = toggleField(chosen, 'a')
    expect(codes(chosen)).toEqual(['rows y', 'a'])
    chosen = toggleChild(fields, chosen, 'rows', 'x')
    expect(codes(chosen)).toEqual(['a', 'rows x y'])
    expect(stateOf(chosen, rows)).toBe('some')
    chosen = toggleChild(fields, chosen, 'rows', 'file')
    expect(stateOf(chosen, rows)).toBe('all')
    expect(codes(toggleSheet(chosen, rows))).toEqual(['a'])
    for (const child of ['x', 'file']) chosen = toggleChild(fields, chosen, 'rows', child)
    expect(codes(chosen)).toEqual(['a', 'rows y'])
    expect(codes(toggleChild(fields, chosen, 'rows', 'y'))).toEqual(['a'])
  })

  it('are checked together', () => {
    expect(mainState([], fields)).toBe('none')
    const some = toggleField([], 'c')
    expect(mainState(some, fields)).toBe('some')
    const all = toggleMain(some, fields)
    expect(codes(all)).toEqual(['c', 'a', 'b', 'paper'])
    expect(mainState(all, fields)).toBe('all')
    expect(toggleMain(all, fields)).toEqual([])
    expect(codes(toggleSheet([], rows))).toEqual(['rows x y file'])
  })

  it('are put in order', () => {
    const chosen = chosenOf(fields, 0, null)
    expect(codes(moved(chosen, 'c', 0))).toEqual(['c', 'a', 'b', 'rows x y'])
    expect(codes(moved(chosen, 'a', 9))).toEqual(['b', 'rows x y', 'c', 'a'])
    expect(moved(chosen, 'none', 1)).toBe(chosen)
  })

  it('are counted and named with their columns', () => {
    const chosen = chosenOf(fields, 0, null)
    expect(countOf(chosen)).toBe(5)
    expect(nameOf(fields, chosen[2] as Chosen, 'zh')).toBe('rows名：x名、y名')
    expect(nameOf(fields, chosen[2] as Chosen, 'en')).toBe('ROWS: X, Y')
  })

  it('are sent as the call wants them', () => {
    const column = { name: 'x名', name_i18n: '{"en":"X"}', propertyType: 0, displayFormat: null }
    expect(columnsOf(fields, [{ code: 'rows', children: ['x'] }])).toEqual([
      {
        ...column,
        propertyCode: 'rows',
        name: 'rows名',
        name_i18n: '{"en":"ROWS"}',
        propertyType: 8,
        childColumns: [{ ...column, propertyCode: 'x' }],
      },
    ])
  })
})

it('sizes have two decimal places', () => {
  expect([0, 1024, 1536, 5 * 1024 ** 2, 3.25 * 1024 ** 3].map(sizeText)).toEqual([
    '0.00 KB',
    '1.00 KB',
    '1.50 KB',
    '5.00 MB',
    '3.25 GB',
  ])
})
