import { describe, expect, it } from 'vitest'
import { endText, shownEnds, storedEnd } from './range'

const context = { locale: 'zh', zone: 'Asia/Shanghai' } as const

describe('the ends of a range of dates', () => {
  it.each([
    ['2026-11-21', 'date', false, false, '2026-11-21'],
    ['2026-11-01', 'month', false, true, '2026-11'],
    ['2026-01-01', 'year', false, true, '2026'],
    ['2026-11-21T00:30:00.000Z', 'date', true, false, '2026-11-21 08:30'],
  ] as const)('%s %s, with time %s', (end, unit, timed, last, text) =>
    expect(endText(end, unit, timed, last, context)).toBe(text),
  )

  it('are whole days from the first to the last minute', () => {
    expect(endText('2026-11-20T16:00:00.000Z', 'date', true, false, context)).toBe('2026-11-21')
    expect(endText('2026-11-21T15:59:00.000Z', 'date', true, true, context)).toBe('2026-11-21')
    expect(endText('2026-11-20T16:00:00.000Z', 'date', true, true, context)).toBe('2026-11-21 00:00')
  })

  it('a year or a month ends on its last day', () => {
    expect(shownEnds('2024', context)).toEqual(['2024', '2024-12-31 23:59'])
    expect(shownEnds('2024;2024-02', context)).toEqual(['2024', '2024-02-29 23:59'])
    expect(shownEnds('2024;', context)).toEqual(['2024', ''])
  })

  it('are shown in the zone of the installation', () => {
    expect(shownEnds('2026-11-20T18:30:00.000Z;', context)).toEqual(['2026-11-21 02:30', ''])
    expect(shownEnds('2026-11;2026-11-21', context)).toEqual(['2026-11', '2026-11-21 23:59'])
  })

  it.each([
    ['2024', 'year', '2024-01-01'],
    ['2024-12-31 23:59', 'year', '2024-01-01'],
    ['2024', 'date', '2024-01-01'],
    ['2024-02-29 23:59', 'month', '2024-02-01'],
    ['2024-02-29 23:59', 'date', '2024-02-29'],
    ['2024-02-29 23:59', 'moment', '2024-02-29T15:59:00.000Z'],
    ['2026-11-21', 'moment', '2026-11-20T16:00:00.000Z'],
    ['', 'date', null],
    ['soon', 'date', null],
    ['2026-02-30', 'date', null],
  ] as const)('%j stands in a box of a %s', (shown, kind, value) => {
    expect(storedEnd(shown, kind, context)).toBe(value)
  })
})
