import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry, FormField, ParseContext, PropertyUI, TextContext } from '@sluice/sdk'
import { describe, expect, it } from 'vitest'
import { type ReadAddress, reader } from '../address/parse'
import type { Address } from '../address/ui'
import { property as address } from '../address/ui'
import { property as opinion } from '../approvalopinion/ui'
import { property as attachment } from '../attachment/ui'
import { property as checkbox } from '../checkbox/ui'
import { property as date } from '../date/ui'
import { property as deptmulti } from '../deptmulti/ui'
import { property as deptsingle } from '../deptsingle/ui'
import { property as dropdown } from '../dropdown/ui'
import { property as dropdownmulti } from '../dropdownmulti/ui'
import { property as logic } from '../logic/ui'
import { property as longtext } from '../longtext/ui'
import { property as number } from '../number/ui'
import { property as radio } from '../radio/ui'
import { property as relation } from '../relevanceform/ui'
import { property as relations } from '../relevanceformex/ui'
import { property as sheet } from '../sheet/ui'
import { property as shorttext } from '../shorttext/ui'
import { property as mixed } from '../staffdeptmix/ui'
import { property as staffmulti } from '../staffmulti/ui'
import { property as staffsingle } from '../staffsingle/ui'
import { property as time } from '../time/ui'
import { partList, tellings } from './listed'

const options = [
  { code: 'a', name: '甲', name_i18n: { en: 'One' }, color: null },
  { code: 'b', name: '乙,丙', name_i18n: { en: 'Two, three' }, color: null },
  { code: 'c', name: '同', name_i18n: { en: 'Same' }, color: null },
  { code: 'd', name: '同', name_i18n: { en: 'Same' }, color: null },
]
const entry = (id: string, name: string, type: number | null) => ({
  id,
  name,
  imgUrl: null,
  type,
  detail: null,
  leaf: true,
})
const people = [entry('u1', '李娜', 3), entry('u2', 'Smith, John', 3)]
const departments = [entry('d1', '工程部', 1), entry('d2', '质量部', 1)]
const records = [entry('r1', 'P-1 泵, 左', null), entry('r2', 'P-2 闸', null)]

const divisions: [string, string, string][] = [
  ['33', '浙江省', 'Zhejiang'],
  ['3301', '杭州市', 'Hangzhou'],
  ['330106', '西湖区', 'Xihu District'],
  ['11', '北京市', 'Beijing'],
  ['1101', '市辖区', 'Municipal Districts'],
  ['110101', '东城区', 'Dongcheng District'],
  ['44', '广东省', 'Guangdong'],
  ['4419', '东莞市', 'Dongguan'],
  ['441900', '东莞市', 'Dongguan'],
]
const place = (code: string | null, detail: string | null) => {
  const name = (length: number) =>
    (code && code.length >= length && divisions.find(([one]) => one === code.slice(0, length))?.[1]) || null
  return { code, province: name(2), city: name(4), district: name(6), detail }
}

/** Each type, how its field is defined, and values of it. */
const cases: [string, unknown, object, unknown[]][] = [
  ['ShortText', shorttext, {}, ['A12', '1,234.5', ' a "b" ']],
  ['LongText', longtext, {}, ['one\ntwo\t"three"']],
  ['Number', number, { settings: { scale: 2, unit: '元' }, displayFormat: 'thousands' }, ['1234567.125', '-3', '0']],
  ['Number percent', number, { settings: { scale: 2 }, displayFormat: 'percent' }, ['0.12345', '1']],
  ['Number capitals', number, { displayFormat: 'capitals' }, ['1024.5']],
  ...['yyyy-MM-dd', 'MM-dd'].map((displayFormat): [string, unknown, object, unknown[]] => [
    `Date ${displayFormat}`,
    date,
    { displayFormat },
    ['2026-03-05'],
  ]),
  ['Date yyyy-MM', date, { displayFormat: 'yyyy-MM' }, ['2026-03-01']],
  ['Date yyyy', date, { displayFormat: 'yyyy' }, ['2026-01-01']],
  ...[
    'yyyy-MM-dd HH:mm:ss',
    'yyyy-MM-dd HH:mm',
    'HH:mm',
    'HH:mm:ss',
    'yyyy-MM-dd CN-APM hh:mm',
    'yyyy-MM-dd EN-APM hh:mm',
    'CN-APM hh:mm',
    'EN-APM hh:mm',
  ].map((displayFormat): [string, unknown, object, unknown[]] => [
    `Date ${displayFormat}`,
    date,
    { displayFormat },
    ['2026-03-05T06:30:15.000Z', '2026-12-31T16:00:00.000Z'],
  ]),
  ['Time', time, {}, ['06:30:15', '00:00:00']],
  ['Time HH:mm', time, { displayFormat: 'HH:mm' }, ['06:30:15', '23:59:00']],
  ['Logic', logic, {}, [true, false]],
  ['Radio', radio, { options }, ['a', 'b', 'c', 'd']],
  ['Dropdown', dropdown, { options }, ['a', 'b', 'c', 'd']],
  ['Checkbox', checkbox, { options }, [['a'], ['a', 'b'], ['c', 'd', 'a']]],
  ['DropdownMulti', dropdownmulti, { options }, [['a', 'c'], ['b']]],
  ['StaffSingle', staffsingle, {}, people],
  ['StaffMulti', staffmulti, {}, [people, [people[1]]]],
  ['DeptSingle', deptsingle, {}, departments],
  ['DeptMulti', deptmulti, {}, [departments]],
  ['StaffDeptMix', mixed, {}, [[people[0], departments[1]]]],
  ['RelevanceForm', relation, {}, records],
  ['RelevanceFormEx', relations, {}, [records, [records[1]]]],
]

describe.each(['zh', 'en'] as const)('what is copied is what is pasted, %s', (locale) => {
  const context: TextContext = { locale, zone: 'Asia/Shanghai' }
  /** As the server does: names, with what tells them apart. */
  const named = (word: string) => {
    const all = [...people, ...records, ...departments] as Entry[]
    const so = all.filter(({ name }) => name === word)
    const told = tellings(word).flatMap(({ name, detail }) =>
      all.filter((one) => one.name === name && one.detail === detail),
    )
    return so.length > 0 ? so : told
  }
  const find: ParseContext['find'] = async () => []
  const meant: ParseContext['meant'] = async (text) => partList(text, (word) => named(word).length > 0).flatMap(named)

  it.each(cases)('%s', async (_, given, more, values) => {
    const property = given as PropertyUI<unknown>
    const field = { propertyCode: 'x', propertyType: property.wire, name: 'x', name_i18n: {}, ...more } as FormField
    for (const value of values) {
      const text = property.copyText?.(value, field, context) ?? property.text(value, field, context)
      const read = await property.parseText?.(text, field, { ...context, find, meant })
      expect(read, text).toEqual(value)
    }
  })

  it('files, opinions and tables are not read from texts', () => {
    for (const property of [attachment, opinion, sheet]) expect(property.parseText).toBeUndefined()
  })
})

describe('addresses in texts', () => {
  const field = { propertyCode: 'x', propertyType: 10, displayFormat: 'province' } as FormField
  // The server's reader has the same file.
  const rows = readFileSync(join(import.meta.dirname, '../../../../engine/place/testdata/copied.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('|').map((part) => part.trim()))

  it.each(rows)('%s %s is copied as %s', (code, detail, text) => {
    const copied = address.copyText?.(place(code || null, detail || null) as never, field, {
      locale: 'zh',
      zone: 'Asia/Shanghai',
    })
    expect(copied).toBe(text)
  })

  it('are asked for together, and those that say none are none', async () => {
    const asked: string[][] = []
    const one = (text: string): ReadAddress => ({
      ...(place('3301', text) as Address),
      code: '3301',
      verdict: text === '火星' ? 'none' : 'read',
    })
    const read = reader(async (texts) => {
      asked.push(texts)
      return texts.map(one)
    })
    const all = await Promise.all([' a\nb ', '火星', '', 'x'.repeat(401)].map(read))
    expect(all).toEqual([place('3301', 'a b'), undefined, undefined, undefined])
    expect(asked).toEqual([['a b', '火星']])
    await Promise.all(Array.from({ length: 501 }, (_, n) => read(`${n}`)))
    expect(asked.map((texts) => texts.length)).toEqual([2, 500, 1])
  })

  it('a call that fails fails them all', async () => {
    const read = reader(() => Promise.reject(new Error('away')))
    await expect(read('a')).rejects.toThrow('away')
  })
})
