import { beforeEach, describe, expect, it } from 'vitest'
import type { QueryCondition } from '@/api/types'
import { forgetFilters, recallFilters, rememberFilters } from './last-filter'

const condition = (propertyCode: string, kind?: string): QueryCondition => ({
  propertyCode,
  propertyType: 0,
  name: propertyCode,
  name_i18n: {},
  queryFilterType: 'Contains',
  operators: ['Contains', 'Equal', 'Between'],
  visible: true,
  settings: kind ? { kind } : {},
})
const conditions = [condition('part'), condition('amount'), condition('checkDate', 'calendar')]
const her = { user: 'her', queryCode: 'lots' }
const today = '2026-11-21'

describe('the last filter', () => {
  beforeEach(() => localStorage.clear())

  it('is each person’s own, and each list’s', () => {
    rememberFilters(her, conditions, { part: { value: 'A' }, amount: { value: '2026;' } }, today)
    expect(recallFilters(her, conditions, '2027-01-01')).toEqual({ part: { value: 'A' }, amount: { value: '2026;' } })
    expect(recallFilters({ ...her, user: 'him' }, conditions, today)).toBeNull()
    expect(recallFilters({ ...her, queryCode: 'others' }, conditions, today)).toBeNull()
    expect(Object.keys(localStorage).sort()).toEqual(['form-daily', 'form-temp'])
    forgetFilters(her)
    expect(recallFilters(her, conditions, today)).toBeNull()
  })

  it('keeps dates that were chosen by hand for the day, and words for days for good', () => {
    rememberFilters(her, conditions, { part: null, checkDate: { value: '2026-11-01;2026-11-21' } }, today)
    expect(recallFilters(her, conditions, today)).toEqual({ part: null, checkDate: { value: '2026-11-01;2026-11-21' } })
    expect(recallFilters(her, conditions, '2026-11-22')).toEqual({ part: null })
    rememberFilters(her, conditions, { checkDate: { value: 'thisMonth' } }, today)
    expect(recallFilters(her, conditions, '2026-12-22')).toEqual({ checkDate: { value: 'thisMonth' } })
  })

  it('keeps what the list has no more, so that the page can say so, and loses what is no filter', () => {
    rememberFilters(her, conditions, { part: { value: 'A' }, amount: { value: '1', operator: 'Of' } }, today)
    const both = { part: { value: 'A' }, amount: { value: '1', operator: 'Of' } }
    expect(recallFilters(her, conditions.slice(1), today)).toEqual(both)
    const hidden = [{ ...conditions[0], visible: false } as QueryCondition]
    expect(recallFilters(her, hidden, today)).toEqual({ amount: both.amount })
    localStorage.setItem('form-temp', '{"her":{"lots":{"filters":{"part":{"value":7},"amount":"x"}}}}')
    localStorage.setItem('form-daily', '[1')
    expect(recallFilters(her, conditions, today)).toBeNull()
  })
})
