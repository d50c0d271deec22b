import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFilters } from '@/sdk/filter-address'
import type { DataSet, GroupValue, ReportFilter } from '@/sdk/report/api'
import { drillAddress, drillFilters } from './drill'
import { group, measure, setOf, value } from './testing'
import { askedFilters, withFilters } from './use-report'

/** What lists were opened with by the test of the server, which counts their records (TestBehindEveryGroup). */
interface Behind extends GroupValue {
  propertyType: number
  timeStep: DataSet['groups'][number]['timeStep']
  level?: number
  filter: { value: string; operator: string } | null
}
const corpus = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../runtime/reporting/testdata/behind.json'), 'utf8'),
) as Behind[]

const condition = (propertyCode: string, more: Partial<ReportFilter> = {}): ReportFilter => ({
  propertyCode,
  propertyType: 14,
  name: propertyCode,
  name_i18n: {},
  queryFilterType: 'In',
  visible: true,
  ...more,
})

describe('the address of a report', () => {
  const filters = {
    period: { value: '2026-01-01;2026-03-31' },
    who: { value: 'u1;u2', label: '赵启明、钱学文', operator: 'NotIn' },
    part: null,
    done: { value: '', operator: 'IsNull' },
  }

  it('opens the same again', () => {
    const search = withFilters(new URLSearchParams('code=month&f.old=1&l.old=x'), filters)
    expect(search.get('code')).toBe('month')
    expect(readFilters(new URLSearchParams(search.toString())).filters).toEqual(filters)
    expect(withFilters(search, {}).toString()).toBe('code=month')
  })

  it('asks for what was set and cleared only: defaults are the server’s', () => {
    const conditions = [
      ...['period', 'who', 'part', 'done'].map((code) => condition(code)),
      condition('untouched', { defaultValue: 'OK' }),
      condition('hidden', { visible: false }),
    ]
    const asked = askedFilters(conditions, { ...filters, hidden: { value: 'x' }, unknown: { value: 'y' } })
    expect(asked).toMatchObject([
      { propertyCode: 'period', propertyValue: '2026-01-01;2026-03-31', queryFilterType: 'In' },
      { propertyCode: 'who', propertyValue: 'u1;u2', queryFilterType: 'NotIn' },
      { propertyCode: 'part', propertyValue: '' },
      { propertyCode: 'done', propertyValue: '', queryFilterType: 'IsNull' },
    ])
  })
})

describe('the list behind a point', () => {
  const set = {
    ...setOf(
      [
        group('month', { propertyCode: 'checkDate', propertyType: 3, timeStep: 'month' }),
        group('who'),
        group('floor', { propertyType: 2 }),
      ],
      [measure('m')],
    ),
    filters: [
      { code: 'period', propertyCode: 'checkDate' },
      { code: 'site', propertyCode: 'contract.site' },
    ],
  }
  const place = {
    appCode: 'lock',
    reportCode: 'progress',
    name: 'Lots by month',
    queryCode: 'lots',
    set,
    zone: 'Asia/Shanghai',
    today: '2026-02-15',
    filters: {
      site: { value: 's1', operator: 'In' },
      period: { value: 'thisYear', operator: 'Between' },
      other: { value: '1' },
    },
  }
  const month = { value: '2026-02-01', text: '2026-02', until: '2026-02-28' }

  it.each([
    ['a step of time is a range', 0, month, { checkDate: { value: '2026-02-01;2026-02-28', operator: 'Between' } }],
    [
      'an id has its words, and is compared as a whole',
      1,
      { value: 'u1', text: '赵启明' },
      { who: { value: 'u1', label: '赵启明', operator: 'Equal' } },
    ],
    ['a number is exact', 2, value('5'), { floor: { value: '5', operator: 'Equal' } }],
    ['what is empty has no value', 1, value(null), { who: { value: '', operator: 'IsNull' } }],
  ])('%s', (_, at, one, filters) => {
    expect(drillFilters(place, new Map([[at, one]]))).toMatchObject({
      'contract.site': { value: 's1', operator: 'In' },
      ...filters,
    })
  })

  it('keeps the filters of the page, and the group’s own come before them', () => {
    const to = drillAddress(place, new Map([[0, month]]), 'm') ?? ''
    const url = new URL(to, 'http://x')
    expect(url.pathname).toBe('/application/lock/application-list/lot')
    expect(url.searchParams.get('queryCode')).toBe('lots')
    expect(readFilters(url.searchParams).filters).toEqual({
      checkDate: { value: '2026-02-01;2026-02-28', operator: 'Between' },
      'contract.site': { value: 's1', operator: 'In' },
    })
    expect(url.searchParams.get('behind')).toBe('progress/s/m')
    expect(url.searchParams.get('figure')).toBe('Lots by month')
  })

  it.each([
    ['2026-02-10;2026-03-31', '2026-02-10;2026-02-28'],
    [';2026-02-15', '2026-02-01;2026-02-15'],
    ['2026-01-01;', '2026-02-01;2026-02-28'],
    ['2026-02-01 08:00;2026-02-28 17:00', '2026-02-01 08:00;2026-02-28 17:00'],
    ['lastDays:7;', '2026-02-09;2026-02-28'],
    ['lastDays:7', '2026-02-09;2026-02-15'],
    ['2026-02-07', '2026-02-07;2026-02-07', 'Equal'],
    ['2026-02-07', '2026-02-07;2026-02-28', 'GreaterThanOrEqual'],
    ['2026-02-07', '2026-02-01;2026-02-07', 'LessThanOrEqual'],
    ['', '2026-02-01;2026-02-28', 'IsNotNull'],
    ['2026-02-07', undefined, 'GreaterThan'],
  ])('a step that the filter %s cuts off is %s', (period, whole, operator = 'Between') => {
    const filters = { period: { value: period, operator } }
    expect(drillFilters({ ...place, filters }, new Map([[0, month]]))?.checkDate?.value).toBe(whole)
  })

  // 2026-03-01 05:00 of Shanghai.
  const hour = {
    value: '2026-03-01 05:00',
    text: '2026-03-01 05:00',
    from: '2026-02-28T21:00:00.000Z',
    until: '2026-02-28T21:59:59.999Z',
  }
  it.each([
    ['', '2026-02-28T21:00:00.000Z;2026-02-28T21:59:59.999Z'],
    ['2026-03-01;2026-03-02', '2026-02-28T21:00:00.000Z;2026-02-28T21:59:59.999Z'],
    ['2026-03-01 05:30;2026-03-01 06:30', '2026-02-28T21:30:00.000Z;2026-02-28T21:59:59.999Z'],
    [';2026-03-01 05:30', '2026-02-28T21:00:00.000Z;2026-02-28T21:30:00.000Z'],
    ['2026-02-28T21:10:00.000Z;', '2026-02-28T21:10:00.000Z;2026-02-28T21:59:59.999Z'],
  ])('an hour has its own records, and with the filter %s %s', (period, whole) => {
    const hours = { ...set, groups: [group('month', { propertyCode: 'checkDate', timeStep: 'hour' })] }
    const filters: typeof place.filters = { ...place.filters, period: { value: period, operator: 'Between' } }
    const of = { ...place, set: hours, filters }
    expect(drillFilters(of, new Map([[0, hour]]))?.checkDate?.value).toBe(whole)
  })

  it.each(corpus)('of a value of $propertyType $timeStep is what the list is tested with: $value', (one) => {
    const { filter, propertyType, timeStep, level, ...value } = one
    const of = {
      ...place,
      set: { ...set, groups: [group('g', { propertyType, timeStep, ...(level && { level }) })] },
      filters: {},
    }
    const g = drillFilters(of, new Map([[0, { ...value, value: value.value || null }]]))?.g
    expect(g && { value: g.value, operator: g.operator }).toEqual(filter ?? undefined)
  })

  it.each([
    [
      'as the filter has its bounds',
      { period: { value: '2026-01-10;2026-03-31', operator: 'Between' } },
      '2026-01-10;2026-02-28',
    ],
    ['from the first step without one', {}, '2026-01-01;2026-02-28'],
    [
      'from the first step where the server knows the days',
      { period: { value: 'thisYear', operator: 'Between' } },
      '2026-01-01;2026-02-28',
    ],
  ])('a running total is everything up to its step, %s', (_, filters, whole) => {
    const running = { ...set, measures: [measure('m'), measure('sum', { sumType: 'cumulative' })] }
    const of = { ...place, set: running, begin: '2026-01-01', filters }
    const opened = (at: Parameters<typeof drillAddress>[1], code: string, added?: boolean) => {
      const to = drillAddress(of, at, code, added)
      return to && readFilters(new URL(to, 'http://x').searchParams).filters.checkDate?.value
    }
    expect(opened(new Map([[0, month]]), 'sum')).toBe(whole)
    expect(opened(new Map([[0, month]]), 'm', true)).toBe(whole)
    expect(opened(new Map([[0, month]]), 'm')).not.toBe(whole)
    expect(opened(new Map([[1, value('u1')]]), 'sum')).toBeNull()
    expect(opened(new Map([[0, value(null)]]), 'sum')).toBeNull()
  })

  it('is none for what top left over', () => {
    expect(drillAddress(place, new Map([[1, { value: null, text: 'Others', others: true }]]))).toBeNull()
  })
})
