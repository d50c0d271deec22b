// @vitest-environment node
import { describe, expect, it } from 'vitest'
import type { ColumnPlan } from '@/api/types'
import { barOf, levelOf, progressOf, progressText, spanChange } from './tasks'

const column = (of: Partial<ColumnPlan>) => ({ propertyCode: 'p', propertyType: 2, ...of }) as ColumnPlan
const zone = 'Asia/Shanghai'

describe('a bar', () => {
  it('includes the last day', () => {
    expect(barOf({ start: '2024-02-28', end: '2024-02-29' }, zone)).toEqual({
      start: new Date(2024, 1, 28),
      end: new Date(2024, 2, 1),
      reversed: false,
    })
  })
  it('of instants stands at the clock of the installation', () => {
    const bar = barOf({ start: '2024-03-01T00:00:00.000Z', end: '2024-03-01T04:30:00.000Z' }, zone)
    expect(bar).toEqual({ start: new Date(2024, 2, 1, 8), end: new Date(2024, 2, 1, 12, 30), reversed: false })
  })
  it('of one date is that day, of none is no bar, and of an end before its start says so', () => {
    expect(barOf({ start: null, end: '2024-03-05' }, zone)?.start).toEqual(new Date(2024, 2, 5))
    expect(barOf({ start: null, end: null }, zone)).toBeNull()
    expect(barOf({ start: '2024-03-05', end: '2024-03-01' }, zone)).toMatchObject({ reversed: true })
  })
})

describe('a drag writes', () => {
  const before = { start: '2024-03-01', end: '2024-03-10' }
  it('both days when the bar moved, the nearest midnight counts', () => {
    const bar = { start: new Date(2024, 2, 3, 20), end: new Date(2024, 2, 13, 20) }
    expect(spanChange(before, bar, 'both', zone)).toEqual({ start: '2024-03-04', end: '2024-03-13' })
  })
  it('only the end that was dragged, and nothing when it came back', () => {
    const bar = { start: new Date(2024, 2, 3), end: new Date(2024, 2, 21) }
    expect(spanChange(before, bar, 'end', zone)).toEqual({ end: '2024-03-20' })
    expect(spanChange(before, { start: new Date(2024, 2, 1), end: new Date(2024, 2, 11) }, 'both', zone)).toEqual({})
  })
  it('instants in the time zone of the installation, also where the clock changes', () => {
    const at = { start: '2024-03-30T08:00:00.000Z', end: '2024-03-30T10:00:00.000Z' }
    const bar = { start: new Date(2024, 2, 31, 9), end: new Date(2024, 2, 31, 11) }
    expect(spanChange(at, bar, 'both', 'Europe/Berlin')).toEqual({
      start: '2024-03-31T07:00:00.000Z',
      end: '2024-03-31T09:00:00.000Z',
    })
  })
})

describe('progress', () => {
  it('is a share of 100, or of 1 with percent', () => {
    expect(progressOf('45', column({}))).toEqual({ share: 0.45, state: 'doing' })
    expect(progressOf('1', column({ displayFormat: 'percent' }))).toEqual({ share: 1, state: 'finish' })
    expect(progressOf(null, column({}))).toEqual({ share: 0, state: 'undo' })
    expect(progressOf('140', column({}))).toEqual({ share: 1, state: 'finish' })
    expect(progressText(0.456, column({ displayFormat: 'percent' }))).toBe('0.46')
    expect(progressText(0.456, column({}))).toBe('46')
  })
  it('is a state by word or number where the property is a choice', () => {
    const choice = column({ options: [] })
    expect(progressOf('FINISH', choice).state).toBe('finish')
    expect(progressOf('-1', choice).state).toBe('undo')
    expect(progressOf('1', choice)).toEqual({ share: null, state: 'doing' })
    expect(progressOf(null, choice).state).toBeNull()
  })
  it('and levels: group 0, company 1, project 2', () => {
    expect(['0', 'company', '2', '7', null].map(levelOf)).toEqual(['group', 'company', 'project', null, null])
  })
})
