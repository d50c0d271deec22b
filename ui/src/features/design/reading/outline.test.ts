import { describe, expect, it } from 'vitest'
import { chartsOf, dataSetsOf, itemsOf } from './outline'

const nameOf = (of: { name?: string; code?: string }) => of.name ?? of.code ?? ''

describe('the outline of a document that is only read', () => {
  it('has the data sets of a report with groups and figures, named or by their codes', () => {
    const report = {
      dataSets: [
        {
          code: 'byMonth',
          schemaCode: 'lot',
          condition: "result == 'OK'",
          groups: ['unit', { propertyCode: 'day', code: 'month', name: '月份' }],
          measures: [{ code: 'lots', sumType: 'count', name: '检验批', unit: '批' }],
        },
        'not a data set',
      ],
      charts: [{ code: 'c', name: '总数', chartType: 'figure', dataSet: 'byMonth' }],
    }
    expect(dataSetsOf(report, nameOf)).toEqual([
      {
        name: 'byMonth',
        facts: ['lot', "result == 'OK'"],
        lines: [
          { name: 'unit', facts: [], lines: [] },
          { name: '月份', facts: [], lines: [] },
          { name: '检验批', facts: ['count', '批'], lines: [] },
        ],
      },
    ])
    expect(chartsOf(report, nameOf)).toEqual([{ name: '总数', facts: ['figure', 'byMonth'], lines: [] }])
  })

  it('has the items of a dictionary below each other', () => {
    const weather = { items: [{ code: 'RAIN', name: '雨', items: [{ code: 'LIGHT', name: '小雨' }] }] }
    expect(itemsOf(weather, nameOf)).toEqual([
      { name: '雨', facts: ['RAIN'], lines: [{ name: '小雨', facts: ['LIGHT'], lines: [] }] },
    ])
    expect(itemsOf({}, nameOf)).toEqual([])
  })
})
