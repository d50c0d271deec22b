import type { Entry, FormField, ParseContext } from '@sluice/sdk'
import { describe, expect, it } from 'vitest'
import { PAIRS, READINGS } from '@/testing/names'
import { parseText as dateOf } from '../date/parse'
import { property as logic } from '../logic/ui'
import { parseText as numberOf } from '../number/parse'
import { parseEntries, parseEntry } from './parse-entries'
import { parseOption, parseOptions } from './parse-options'

const field = (more: object = {}) =>
  ({ propertyCode: 'x', propertyType: 0, name: 'x', name_i18n: {}, ...more }) as FormField
const context = (meant: ParseContext['meant'] = async () => []): ParseContext => ({
  locale: 'zh',
  zone: 'Asia/Shanghai',
  find: async () => [],
  meant,
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
    { id: '1', name: '李娜', type: 3, imgUrl: null, detail: '一队', fill: { team: '1' } },
    { id: '2', name: '王五', type: 3, imgUrl: null },
  ] as unknown as Entry[]
  /** The server says what they mean (runtime/query/meantoptions.go). */
  const meant = (found: Entry[]) => {
    const asked: string[] = []
    const answers = async (text: string) => {
      asked.push(text)
      return found
    }
    return { asked, context: context(answers) }
  }
  it('are asked for as they stand', async () => {
    const one = meant(people.slice(0, 1))
    const { fill: _, ...first } = people[0] as Entry
    expect(await parseEntry('李娜（一队）', field(), one.context)).toEqual(first)
    expect(one.asked).toEqual(['李娜（一队）'])
    const both = meant(people)
    expect(await parseEntries('李娜（一队）;王五', field(), both.context)).toEqual([first, people[1]])
    expect(both.asked).toEqual(['李娜（一队）;王五'])
  })
  it('are not read where they mean none, or several for one', async () => {
    expect(await parseEntry('王', field(), meant([]).context)).toBeUndefined()
    expect(await parseEntry('王五;李娜', field(), meant(people).context)).toBeUndefined()
    expect(await parseEntries('王五、无名', field(), meant([]).context)).toBeUndefined()
  })
})

describe('what a pasted name takes of options', () => {
  const wide = (text: string) => text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))
  const spellings = (name: string) => [name, ` ${[...name].join(' ')}　`, name.toLowerCase(), wide(name)]
  const option = (name: string, code = `c ${name}`) =>
    ({ code, name, name_i18n: {}, color: null, disabled: false, parent: null }) as never
  it.each(PAIRS)('%s is not %s', (name, longer) => {
    for (const text of spellings(name)) {
      expect(parseOption(text, field({ options: [option(longer), option(name)] })), text).toBe(`c ${name}`)
      expect(parseOption(text, field({ options: [option(longer)] })), text).toBeUndefined()
    }
  })
  it.each(READINGS)('$name is not its sound', ({ name, sounds }) => {
    for (const sound of sounds) expect(parseOption(sound, field({ options: [option(name)] }))).toBeUndefined()
  })
  it('is none of several that are called so, but the one that is spelled so', () => {
    const options = [option('Mg'), option('mg'), option('同名', 'a'), option('同名', 'b')]
    expect(parseOption('Mg', field({ options }))).toBe('c Mg')
    expect(parseOption('ＭＧ', field({ options }))).toBeUndefined()
    expect(parseOption('同名', field({ options }))).toBeUndefined()
    expect(parseOption('同名（B）', field({ options }))).toBe('b')
    expect(parseOption('b', field({ options }))).toBe('b')
  })
})
