// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { fittingZoom, rangeOf, scalesOf } from './scales'

const bar = (from: string, to: string) => ({ start: new Date(from), end: new Date(to) })
const today = new Date(2026, 5, 15)

describe('the time axis', () => {
  it('starts with the scale that shows most of the bars', () => {
    expect(fittingZoom([])).toBe('week')
    expect(fittingZoom([bar('2026-06-01', '2026-06-20')])).toBe('day')
    expect(fittingZoom([bar('2026-06-01', '2026-06-20'), bar('2026-08-01', '2026-09-20')])).toBe('week')
    expect(fittingZoom([bar('2024-01-08', '2027-04-20')])).toBe('month')
  })

  it('reaches today when today is near, and not when it is far', () => {
    expect(rangeOf([bar('2026-01-01', '2026-02-01')], today, 'week').to > today).toBe(true)
    expect(rangeOf([bar('2020-01-01', '2020-02-01')], today, 'week').to < today).toBe(true)
  })

  it('speaks both languages and marks weekends by day', () => {
    const day = new Date(2026, 5, 13)
    const words = (locale: 'zh' | 'en') => scalesOf('week', locale).map(({ format }) => format(day))
    expect(words('zh')).toEqual(['2026年6月', '6/13'])
    expect(words('en')).toEqual(['June 2026', '13 Jun'])
    expect(scalesOf('day', 'zh')[1]?.css?.(day)).toBe('gantt-weekend')
  })
})
