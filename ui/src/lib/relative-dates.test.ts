import { describe, expect, it } from 'vitest'
import { isRelative, relativeRange } from './relative-dates'

describe('words for days', () => {
  it.each([
    ['today', '2026-11-21', ['2026-11-21', '2026-11-21']],
    ['thisWeek', '2026-11-21', ['2026-11-16', '2026-11-22']],
    ['thisWeek', '2026-11-22', ['2026-11-16', '2026-11-22']],
    ['thisWeek', '2027-01-01', ['2026-12-28', '2027-01-03']],
    ['thisMonth', '2028-02-29', ['2028-02-01', '2028-02-29']],
    ['thisYear', '2026-12-31', ['2026-01-01', '2026-12-31']],
    ['lastDays:7', '2026-03-01', ['2026-02-23', '2026-03-01']],
    ['2026', '2026-11-21', null],
    ['lastDays:0', '2026-11-21', null],
  ])('%s on %s', (word, today, range) => expect(relativeRange(word, today)).toEqual(range))

  it('knows its words', () => {
    expect(['today', 'thisYear', 'lastDays:30'].every(isRelative)).toBe(true)
    expect(['2026', '2026-01-01;', 'lastDays:x', 'lastDays:-1', ''].some(isRelative)).toBe(false)
  })
})
