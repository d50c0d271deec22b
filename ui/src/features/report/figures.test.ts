import { describe, expect, it } from 'vitest'
import { combine, measureText } from '@/sdk/report/figures'
import { measure, row, setOf, words } from './testing'

describe('a figure', () => {
  it.each([
    ['every digit', '9999999999999999.12345678', {}, '9,999,999,999,999,999.12345678'],
    ['scale and unit', '1234.5', { scale: 2, unit: '元' }, '1,234.50 元'],
    ['half away from zero', '-2.345', { scale: 2 }, '−2.35'],
    ['no separators', '12345', { displayFormat: 'plain' }, '12345'],
    ['a ratio without a scale', '0.33333333', { sumType: 'ratio', displayFormat: 'percent' }, '33.33%'],
    ['percent with a scale', '0.5', { displayFormat: 'percent', scale: 4 }, '50.00%'],
    ['an average without a scale', '2.66666667', { sumType: 'average' }, '2.67'],
    ['a ratio that is no percentage', '1.5', { sumType: 'ratio', displayFormat: 'thousands' }, '1.5'],
    ['capitals', '12.5', { displayFormat: 'capitals' }, '壹拾贰元伍角'],
    ['a day', '2026-03-01', { sumType: 'maximum' }, '2026-03-01'],
    ['none', null, {}, '–'],
  ] as const)('is written with %s', (_, value, more, text) => {
    expect(measureText(value, measure('m', more), words)).toBe(text)
  })
})

describe('figures of several rows', () => {
  const set = setOf(
    [],
    [
      measure('good', { sumType: 'count' }),
      measure('all', { sumType: 'count' }),
      measure('rate', { sumType: 'ratio', numerator: 'good', denominator: 'all' }),
      measure('most', { sumType: 'maximum' }),
      measure('least', { sumType: 'minimum' }),
      measure('mean', { sumType: 'average' }),
      measure('amount'),
    ],
  )
  const mean = (sum: string, count: number) => [null, null, null, null, null, { sum, count }, null]
  const rows = [
    { ...row([], '1', '2', '0.5', '10', '2026-02-01', '3', '0.1'), means: mean('3', 1) },
    { ...row([], '0', '2', '0', '9', '2026-01-01', '4', '0.2'), means: mean('20', 5) },
    { ...row([], null, null, null, null, null, null, null), means: mean('0', 0) },
  ]
  it.each([
    ['counts add up', 0, '1'],
    ['a ratio is that of the totals, not their mean', 2, '0.25'],
    ['the largest as a number', 3, '10'],
    ['the least of days', 4, '2026-01-01'],
    ['an average is that of all values, not that of averages', 5, '3.83333333'],
    ['sums are exact', 6, '0.3'],
  ])('%s', (_, at, figure) => expect(combine(rows, at, set)).toBe(figure))

  it('are not known where what an average is made of is not', () => {
    expect(combine([...rows, row([], '1', '1', '1', '1', '1', '9', '1')], 5, set)).toBeUndefined()
  })

  it('are none where no row has a number', () => {
    const none = [rows[2], rows[2]].flatMap((one) => one ?? [])
    expect([0, 2, 3, 5, 6].map((at) => combine(none, at, set))).toEqual([null, null, null, null, null])
  })

  it('are that of the only row, whatever it is', () => {
    expect(combine(rows.slice(0, 1), 5, set)).toBe('3')
    expect(combine([], 0, set)).toBeNull()
  })
})
