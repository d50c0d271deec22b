import { describe, expect, it } from 'vitest'
import type { QueryCondition } from '@/api/types'
import { effectiveFilters, relativeRange, requestFilters } from './filters'

const condition = (propertyCode: string, more: Partial<QueryCondition> = {}): QueryCondition => ({
  propertyCode,
  propertyType: 0,
  name: propertyCode,
  name_i18n: {},
  queryFilterType: 'Contains',
  visible: true,
  ...more,
})

describe('filters', () => {
  it.each([
    ['today', '2026-11-21;2026-11-21'],
    ['thisWeek', '2026-11-16;2026-11-22'],
    ['thisMonth', '2026-11-01;2026-11-30'],
    ['thisYear', '2026-01-01;2026-12-31'],
    ['lastDays:7', '2026-11-15;2026-11-21'],
    ['2026', null],
  ])('%s on a Saturday: %s', (keyword, range) => expect(relativeRange(keyword, '2026-11-21')).toBe(range))

  it('keeps a default until it is replaced or cleared', () => {
    const conditions = [condition('checkDate', { defaultValue: 'today' })]
    const today = '2026-11-21'
    expect(effectiveFilters(conditions, {}, today).checkDate?.value).toBe('2026-11-21;2026-11-21')
    expect(effectiveFilters(conditions, { checkDate: null }, today)).toEqual({})
    expect(effectiveFilters(conditions, { checkDate: { value: '2026;' } }, today).checkDate?.value).toBe('2026;')
  })

  it('applies hidden conditions whatever the address says', () => {
    const conditions = [condition('amount', { visible: false, startValue: '0' })]
    expect(effectiveFilters(conditions, { amount: null }, '2026-11-21')).toEqual({
      amount: { value: '0;', operator: 'Between' },
    })
  })

  it('sends the operator of the control, else of the condition', () => {
    const conditions = [condition('part'), condition('result', { queryFilterType: 'Equal' })]
    const sent = requestFilters(conditions, { part: { value: 'A' }, result: { value: 'OK;BAD', operator: 'In' } })
    expect(sent.map((filter) => filter.queryFilterType)).toEqual(['Contains', 'In'])
  })
})
