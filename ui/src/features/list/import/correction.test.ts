import { describe, expect, it } from 'vitest'
import '@/registry/properties'
import type { CellError, FailedRow, HeadColumn } from './api'
import {
  columnsByCode,
  edit,
  errorOf,
  errorsWithin,
  inputFrom,
  inputOf,
  placesIn,
  rowEdits,
  take,
  unresolved,
  valueIn,
  widthOf,
} from './correction'
import { createCorrections } from './correction-store'

const column = (propertyCode: string, propertyType: number, more: object = {}) =>
  ({
    propertyCode,
    propertyType,
    name: propertyCode,
    name_i18n: null,
    multiple: false,
    childColumns: [],
    ...more,
  }) as unknown as HeadColumn
const items = column('items', 8, { childColumns: [column('point', 0), column('who', 50)] })
const columns = [column('code', 0), column('keeper', 50), column('units', 61), column('kind', 14), items]
const refused = (propertyCode: string, kind: CellError['kind'], row?: number): CellError => ({
  propertyCode,
  kind,
  errcode: 1,
  errmsg: kind,
  ...(row === undefined ? {} : { row }),
})
const row: FailedRow = {
  id: '4',
  sheet: '',
  rowNumber: 4,
  kind: 'failed',
  objectId: null,
  name: 'A-1',
  data: { code: 'A-1', keeper: '林双木', items: [{ point: '甲' }, { id: 'r2', point: '乙', who: '谭言言' }] },
  changes: [],
  errors: [refused('keeper', 'AMBIGUOUS'), refused('items.who', 'NOEXIT', 1), refused('', 'REPEAT')],
}
const keeper = { row: '4', code: 'keeper' }
const who = { row: '4', code: 'items.who', sub: 1 }
const none = new Map()
const person = { id: 'u1', name: '林双木', type: 3 }
const zh = { locale: 'zh', zone: 'Asia/Shanghai' } as const

describe('cells of refused rows', () => {
  it('are found with their faults, in sub-tables too', () => {
    expect(inputOf(row, keeper, none)).toBe('林双木')
    expect(inputOf(row, who, none)).toBe('谭言言')
    expect(inputOf(row, { row: '4', code: 'units' }, none)).toBe('')
    expect(errorOf(row, keeper, none)?.kind).toBe('AMBIGUOUS')
    expect(errorOf(row, { ...who, sub: 0 }, none)).toBeUndefined()
    expect(errorsWithin(row, 'items', none)).toBe(1)
    expect([...columnsByCode(columns).keys()]).toContain('items.who')
  })

  it('have the widths of the platform', () => {
    expect([1, 5, 8, 9, 10].map(widthOf)).toEqual([252, 252, 252, 252, 252])
    expect([0, 2, 3, 11, 50].map(widthOf)).toEqual([200, 200, 200, 200, 200])
  })

  it('hold an import back while a person or department with a fault has no id', () => {
    expect(unresolved([row], columns, none)).toEqual([keeper, who])
    const one = edit(none, [{ place: keeper, input: [person] }])
    expect(unresolved([row], columns, one)).toEqual([who])
    expect(errorOf(row, keeper, one), 'what was changed is judged again').toBeUndefined()
    expect(unresolved([row], columns, edit(one, [{ place: who, input: '另一个名字' }]))).toEqual([who])
    expect(unresolved([row], columns, edit(one, [{ place: who, input: [{ name: '谭' }] }]))).toEqual([who])
    expect(unresolved([row], columns, edit(one, [{ place: who, input: '' }])), 'emptied').toEqual([])
  })

  it('are sent as they were changed, a sub-table as its whole list', () => {
    const edits = edit(none, [
      { place: keeper, input: [person] },
      { place: who, input: '' },
      { place: { row: '4', code: 'items.point', sub: 0 }, input: '丙' },
      { place: { row: 'gone', code: 'code' }, input: 'x' },
    ])
    expect(rowEdits([row], edits)).toEqual([
      { id: '4', data: { keeper: [person], items: [{ point: '丙' }, { id: 'r2', point: '乙', who: '' }] } },
    ])
  })

  it('take a suggestion in place of a name, beside what was chosen', () => {
    const units = columns[2] as HeadColumn
    const known = { id: 'd1', name: '一工区', type: 1 }
    expect(take('林双木', person, columns[1] as HeadColumn)).toEqual([person])
    expect(take([known, { name: '二工区' }], { id: 'd2', name: '二工区', type: 1 }, units)).toEqual([
      known,
      { id: 'd2', name: '二工区', type: 1 },
    ])
  })

  it('become values for their controls and texts again', async () => {
    const kind = column('kind', 14, { options: [{ code: 'YARD', name: '场地', name_i18n: { en: 'Yard' } }] })
    expect(await valueIn('场地', kind, zh)).toBe('YARD')
    expect(await valueIn('其他', kind, zh)).toBeNull()
    expect(inputFrom('YARD', kind, zh)).toEqual([{ id: 'YARD', name: '场地' }])
    expect(valueIn([{ id: 'YARD', name: '场地' }], kind, zh)).toBe('YARD')
    const amount = column('amount', 2, { settings: { scale: 2 } })
    expect(await valueIn('1,200.5', amount, zh)).toBe('1200.5')
    expect(inputFrom('1200.5', amount, zh)).toMatch(/^1200\.50?$/)
    const day = column('day', 3, { displayFormat: 'yyyy-MM-dd' })
    expect(await valueIn('二〇二六年', day, zh), 'a text that cannot be read stays').toEqual({ unread: '二〇二六年' })
    expect(inputFrom({ unread: '明天前' }, day, zh)).toBe('明天前')
    expect(valueIn('林双木', column('keeper', 50), zh), 'nobody is guessed').toBeNull()
    expect(inputFrom(person, column('keeper', 50), zh)).toEqual([person])
    expect(inputFrom(null, amount, zh)).toBe('')
  })

  it('of a sub-table are chosen by ticks and conditions', () => {
    const all = new Set(['4/0', '4/1'])
    const at = (condition: object, lines = all) =>
      placesIn(
        row,
        items,
        lines,
        'items.who',
        [{ propertyCode: 'items.point', queryFilterType: 1, propertyValue: '', ...condition }],
        none,
      ).map((place) => place.sub)
    expect(at({ propertyValue: '乙' })).toEqual([1])
    expect(at({ queryFilterType: 2, propertyValue: '乙' })).toEqual([0])
    expect(at({ queryFilterType: 7, propertyValue: '甲' })).toEqual([0])
    expect(at({ propertyCode: 'items.who', queryFilterType: 9 })).toEqual([0])
    expect(at({ propertyCode: 'items.who', queryFilterType: 10 })).toEqual([1])
    expect(at({ propertyCode: 'items.who', queryFilterType: 10 }, new Set(['4/0']))).toEqual([])
  })

  it('begin with what is typed before the control is there, and end with its Enter', () => {
    const store = createCorrections()
    const place = { row: '1', code: 'area' }
    const { open } = store.getState()
    open(place)
    for (const key of ['1', '0', '0']) open(place, key)
    expect(store.getState().editing).toEqual({ place, before: undefined, text: '100' })
    open(place)
    open(place, '7')
    expect(store.getState().editing).toEqual({ place, before: undefined, text: '100', enter: true })
    open({ ...place, row: '2' }, 'x')
    expect(store.getState().editing).toEqual({ place: { ...place, row: '2' }, before: undefined, text: 'x' })
    store.getState().close()
    open(place)
    open(place)
    expect(store.getState().editing, 'nothing was typed').toEqual({ place, before: undefined })
  })
})
