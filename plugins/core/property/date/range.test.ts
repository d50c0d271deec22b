import dayjs from 'dayjs'
import { describe, expect, it } from 'vitest'
import { endText, shownEnds } from './range'

const context = { locale: 'zh', zone: 'Asia/Shanghai' } as const

describe('the ends of a range of dates', () => {
  it.each([
    ['date', false, false, '2026-11-21'],
    ['month', false, true, '2026-11'],
    ['year', false, true, '2026'],
    ['date', true, false, '2026-11-21 08:30'],
  ] as const)('%s, with time %s', (unit, timed, last, text) =>
    expect(endText(dayjs('2026-11-21T08:30'), unit, timed, last)).toBe(text),
  )

  it('are whole days from the first to the last minute', () => {
    expect(endText(dayjs('2026-11-21T00:00'), 'date', true, false)).toBe('2026-11-21')
    expect(endText(dayjs('2026-11-21T23:59'), 'date', true, true)).toBe('2026-11-21')
    expect(endText(dayjs('2026-11-21T00:00'), 'date', true, true)).toBe('2026-11-21 00:00')
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
})
