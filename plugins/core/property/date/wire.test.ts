import { describe, expect, it } from 'vitest'
import { fromWire, pickerOf, toWire } from './wire'

describe('dates', () => {
  it('are chosen in the installation’s zone', () => {
    const shown = fromWire('2026-11-20T18:30:00.000Z', 'yyyy-MM-dd HH:mm', 'Asia/Shanghai')
    expect(shown.format('YYYY-MM-DD HH:mm')).toBe('2026-11-21 02:30')
    expect(toWire(shown, 'yyyy-MM-dd HH:mm', 'Asia/Shanghai')).toBe('2026-11-20T18:30:00.000Z')
  })

  it('of a year or a month stand on its first day', () => {
    const shown = fromWire('2026-11-21', 'yyyy-MM', 'Asia/Shanghai')
    expect(toWire(shown, 'yyyy-MM', 'Asia/Shanghai')).toBe('2026-11-01')
    expect(toWire(shown, 'yyyy', 'Asia/Shanghai')).toBe('2026-01-01')
  })

  it.each([
    ['yyyy', 'year', false],
    ['yyyy-MM', 'month', false],
    ['HH:mm', 'date', true],
    ['CN-APM hh:mm', 'date', true],
    ['yyyy-MM-dd HH:mm:ss', 'date', false],
  ])('%s opens a %s control', (format, picker, clock) => {
    expect(pickerOf(format)).toMatchObject({ picker, clock })
  })

  it.each([
    ['yyyy-MM-dd', ['YYYY-MM-DD', 'YYYY-M-D', 'YYYY/M/D', 'YYYY.M.D', 'YYYY年M月D日', 'YYYYMMDD']],
    ['yyyy-MM', ['YYYY-MM', 'YYYY-M', 'YYYY/M', 'YYYY.M', 'YYYY年M月', 'YYYYMM']],
    ['yyyy', ['YYYY']],
    ['HH:mm', ['HH:mm']],
  ])('%s may be typed in several ways, and is shown in one', (format, typed) => {
    expect(pickerOf(format).typed).toEqual(typed)
    expect(pickerOf(format).format).toBe(typed[0])
  })
})
