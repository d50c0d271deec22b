import { describe, expect, it } from 'vitest'
import type { QueryCondition } from '@/api/types'
import { effectiveFilters, requestFilters } from '@/sdk/conditions'
import { askFor } from '../data/list-request'
import { readView, writeView } from '../data/url-state'
import { panelFilters } from './filters'

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
  it('keeps a default until it is replaced or cleared', () => {
    const conditions = [condition('checkDate', { defaultValue: 'today' })]
    expect(effectiveFilters(conditions, {}).checkDate?.value).toBe('today') // the server knows which day that is
    expect(effectiveFilters(conditions, { checkDate: null })).toEqual({})
    expect(effectiveFilters(conditions, { checkDate: { value: '2026;' } }).checkDate?.value).toBe('2026;')
  })

  it('has the options of now for codes that they had, and keeps what none has or had', () => {
    const option = (code: string, former?: string[]) => ({ code, name: code, name_i18n: {}, ...(former && { former }) })
    const conditions = [condition('state', { options: [option('OPEN', ['NEW', 'BEGUN']), option('DONE')] })]
    const shown = (value: string) => effectiveFilters(conditions, { state: { value, operator: 'NotContains' } }).state
    expect(shown('NEW;DONE;GONE')).toEqual({ value: 'OPEN;DONE;GONE', operator: 'NotContains' })
    expect(shown('BEGUN')?.value).toBe('OPEN')
    const same = { value: 'OPEN' }
    expect(effectiveFilters(conditions, { state: same }).state).toBe(same)
    const config = {
      schemaCode: 'lot',
      queryCode: 'lots',
      queryConditions: conditions,
      queryColumns: [],
      queryPresentation: {},
    }
    const { filters, request } = askFor(config as never, readView(new URLSearchParams('f.state=NEW')), false)
    expect(filters.state?.value).toBe('OPEN')
    expect(request.filters).toMatchObject([{ propertyCode: 'state', propertyValue: 'OPEN' }])
  })

  it('has the records behind a figure, and nothing that the list narrows by itself', () => {
    const queryConditions = [
      condition('result'),
      condition('day', { defaultValue: 'today' }),
      condition('amount', { visible: false, startValue: '0' }),
    ]
    const config = { schemaCode: 'lot', queryCode: 'lots', queryConditions, queryColumns: [], queryPresentation: {} }
    const search = new URLSearchParams(
      'behind=progress/lots/good&figure=Good&f.result=OK&f.amount=5%3B&o.amount=Between&f.kind=a&o.kind=Equal',
    )
    const { request } = askFor(config as never, readView(search), false)
    expect(request.filters).toMatchObject([
      { propertyCode: 'result', propertyValue: 'OK' },
      { propertyCode: 'amount', propertyValue: '5;', queryFilterType: 'Between' },
      { propertyCode: 'kind', propertyValue: 'a', queryFilterType: 'Equal' },
      { behind: 'progress/lots/good' },
    ])
    expect(writeView(search, readView(search)).get('behind')).toBe('progress/lots/good')
  })

  it('applies hidden conditions whatever the address says', () => {
    const conditions = [condition('amount', { visible: false, startValue: '0' })]
    expect(effectiveFilters(conditions, { amount: null })).toEqual({
      amount: { value: '0;', operator: 'Between' },
    })
  })

  it('sends the operator of the control, else of the condition', () => {
    const conditions = [condition('part'), condition('result', { queryFilterType: 'Equal' })]
    const sent = requestFilters(conditions, { part: { value: 'A' }, result: { value: 'OK;BAD', operator: 'In' } })
    expect(sent.map((filter) => filter.queryFilterType)).toEqual(['Contains', 'In'])
  })

  it('applies a hidden condition without a value, and shows a visible one unset', () => {
    const hidden = condition('closed', { visible: false, queryFilterType: 'IsNull' })
    expect(effectiveFilters([hidden, { ...hidden, propertyCode: 'open', visible: true }], {})).toEqual({
      closed: { value: '' },
    })
  })

  it('writes no empty parameters for what a saved filter does not name', () => {
    const conditions = ['a', 'b', 'c'].map((code) => condition(code))
    const filters = panelFilters(conditions, [{ propertyCode: 'b', propertyValue: 'x' }])
    const view = { ...readView(new URLSearchParams()), filters, saved: 's1' }
    expect(String(writeView(new URLSearchParams(), view))).toBe('saved=s1&f.b=x')
  })

  it('takes a saved filter over whole: what it does not name is cleared, what the list has no more stays to be told', () => {
    const conditions = [
      condition('part', { defaultValue: 'A' }),
      condition('result'),
      condition('amount', { visible: false }),
    ]
    const stored = [
      { propertyCode: 'result', propertyValue: ['OK', 'BAD'], queryFilterType: 'Contains' },
      { propertyCode: 'amount', propertyValue: '1' },
      { propertyCode: 'gone', propertyValue: '1' },
    ]
    expect(panelFilters(conditions, stored)).toEqual({ part: null, result: { value: 'OK;BAD' }, gone: { value: '1' } })
    expect(panelFilters(conditions, [{ propertyCode: 'part', queryFilterType: 'IsNull' }])).toEqual({
      part: { value: '', operator: 'IsNull' },
    })
  })
})
