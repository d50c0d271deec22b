import type { Entry, FormField, ParseContext } from '@sluice/sdk'
import { describe, expect, it } from 'vitest'
import { parseText as dateOf } from '../date/parse'
import { property as logic } from '../logic/ui'
import { parseText as numberOf } from '../number/parse'
import { parseOption, parseOptions } from './options'
import { parseEntries, parseEntry, parseMixed } from './parse-entries'

const field = (more: object = {}) =>
  ({ propertyCode: 'x', propertyType: 0, name: 'x', name_i18n: {}, ...more }) as FormField
const context = (find: ParseContext['find'] = async () => []): ParseContext => ({
  locale: 'zh',
  zone: 'Asia/Shanghai',
  find,
})

describe('numbers in texts', () => {
  it.each([
    ['1,234.50', {}, '1234.5'],
    ['１２３．４', {}, '123.4'],
    ['¥ 1,000', {}, '1000'],
    ['12 元', { settings: { unit: '元' } }, '12'],
    ['(5.5)', {}, '-5.5'],
    ['−3', {}, '-3'],
    ['1.5E+3', {}, '1500'],
    ['12.5%', {}, '0.125'],
    ['12.5', { displayFormat: 'percent' }, '0.125'],
    ['12.5%', { displayFormat: 'percent' }, '0.125'],
    ['1,23', {}, undefined],
    ['12 abc', {}, undefined],
    ['-', {}, undefined],
    ['99999999999999999999.01', {}, '99999999999999999999.01'],
  ])('%s', (text, more, value) => {
    expect(numberOf(text, field(more))).toBe(value)
  })
})

describe('dates and times in texts', () => {
  const day = field({ displayFormat: 'yyyy-MM-dd' })
  it.each([
    ['2026-3-5', '2026-03-05'],
    ['2026/03/05', '2026-03-05'],
    ['2026年3月5日', '2026-03-05'],
    ['20260305', '2026-03-05'],
    ['5-Mar-2026', '2026-03-05'],
    ['Mar 5, 2026', '2026-03-05'],
    ['31/12/2026', '2026-12-31'],
    ['2026-03-05 14:30', '2026-03-05'],
    ['03/05/2026', undefined],
    ['2026-02-30', undefined],
    ['soon', undefined],
  ])('%s', (text, value) => {
    expect(dateOf(text, day, context())).toBe(value)
  })
  it('moments are read in the zone of the installation', () => {
    const moment = field({ displayFormat: 'yyyy-MM-dd HH:mm' })
    expect(dateOf('2026-03-05 08:30', moment, context())).toBe('2026-03-05T00:30:00.000Z')
    expect(dateOf('2026/3/5 下午 1:05', moment, context())).toBe('2026-03-05T05:05:00.000Z')
  })
})

describe('words', () => {
  const options = [
    { code: 'A', name: '一等', name_i18n: { en: 'First' }, color: null, disabled: false, parent: null },
    { code: 'B', name: '二等', name_i18n: { en: 'Second' }, color: null, disabled: true, parent: null },
  ]
  it('name options by label in any language and by code', () => {
    expect([
      parseOption(' 一等 ', field({ options })),
      parseOption('First', field({ options })),
      parseOption('A', field({ options })),
    ]).toEqual(['A', 'A', 'A'])
    expect(parseOption('二等', field({ options }))).toBeUndefined()
    expect(parseOptions('一等、A', field({ options }))).toEqual(['A'])
    expect(parseOptions('一等、三等', field({ options }))).toBeUndefined()
  })
  it('say yes and no', () => {
    const parse = logic.parseText as unknown as (text: string) => boolean | undefined
    expect(['是', 'No', '√', '0', 'perhaps'].map(parse)).toEqual([true, false, true, false, undefined])
  })
})

describe('names', () => {
  const people = [
    { id: '1', name: '李娜', type: 3, imgUrl: null, detail: '一队' },
    { id: '2', name: '李娜', type: 3, imgUrl: null, detail: '二队' },
    { id: '3', name: 'A, B', type: 3, imgUrl: null },
    { id: '4', name: '王五', type: 3, imgUrl: null },
  ] as Entry[]
  const find = context(async (word) => people.filter(({ name }) => name.startsWith(word)))
  it('mean the one who is called so', async () => {
    expect((await parseEntry('王五', field(), find))?.id).toBe('4')
    expect(await parseEntry('王', field(), find)).toBeUndefined()
    expect(await parseEntry('李娜', field(), find)).toBeUndefined()
    expect((await parseEntry('李娜（二队）', field(), find))?.id).toBe('2')
  })
  it('stand side by side, also with marks in them', async () => {
    expect((await parseEntries('王五；李娜(一队)', field(), find))?.map(({ id }) => id)).toEqual(['4', '1'])
    expect((await parseEntries('A, B', field(), find))?.map(({ id }) => id)).toEqual(['3'])
    expect(await parseEntries('王五、无名', field(), find)).toBeUndefined()
  })
  it('may be people or departments', async () => {
    const both = context(async (_, kind) =>
      kind === 'department' ? [{ id: 'd', name: '质检部', type: 1, imgUrl: null } as Entry] : [],
    )
    expect((await parseMixed('质检部', field(), both))?.map(({ id }) => id)).toEqual(['d'])
  })
})
