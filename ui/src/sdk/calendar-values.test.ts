import dayjs from 'dayjs'
import { describe, expect, it } from 'vitest'
import { fromCalendar, toCalendar } from './calendar-values'

const zone = 'Asia/Shanghai'

describe('what a calendar shows and picks', () => {
  it('is in the installation’s zone', () => {
    const shown = toCalendar('2026-11-20T18:30:00.000Z', 'moment', zone)
    expect(shown.format('YYYY-MM-DD HH:mm')).toBe('2026-11-21 02:30')
    expect(fromCalendar(shown, 'moment', zone)).toBe('2026-11-20T18:30:00.000Z')
  })

  it('of a year or a month is its first day', () => {
    const shown = toCalendar('2026-11-21', 'month', zone)
    expect(fromCalendar(shown, 'month', zone)).toBe('2026-11-01')
    expect(fromCalendar(shown, 'year', zone)).toBe('2026-01-01')
  })

  it('of a time is that time', () => {
    expect(fromCalendar(toCalendar('08:30:15', 'time', zone), 'time', zone)).toBe('08:30:15')
    expect(fromCalendar(dayjs('2026-03-05T06:30'), 'date', zone)).toBe('2026-03-05')
  })
})
