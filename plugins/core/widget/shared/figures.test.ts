import { expect, it } from 'vitest'
import { figureOf } from './figures'

type Report = Parameters<typeof figureOf>[0]
type Data = Parameters<typeof figureOf>[1]
type Words = Parameters<typeof figureOf>[4]

const measures = [
  { code: 'lots', name: 'lots', name_i18n: {}, sumType: 'count' },
  { code: 'places', name: 'places', name_i18n: {}, sumType: 'distinct' },
]
const words = { empty: '(empty)' } as Words
const read = (timeStep: string | null, rows: [string | null, string, string][], code: string) => {
  const groups = [{ code: 'g', name: 'g', name_i18n: {}, propertyCode: 'g', propertyType: 3, timeStep }]
  const report = { dataSets: [{ code: 's', schemaCode: 'm', groups, measures }] } as unknown as Report
  const of = rows.map(([value, ...values]) => ({ groups: [{ value, text: value ?? '' }], values }))
  return figureOf(report, { dataSets: [{ code: 's', rows: of }] } as unknown as Data, 's', code, words)
}

it('is the figure of the last step, and what has no time is no step', () => {
  const rows = (at: number): [string | null, string, string][] => {
    const steps: [string | null, string, string][] = [
      ['2026-01-01', '4', '2'],
      ['2026-02-01', '5', '3'],
    ]
    steps.splice(at, 0, [null, '9', '8'])
    return steps
  }
  for (const at of [0, 2]) {
    expect(read('month', rows(at), 'lots')).toMatchObject({ value: '5', steps: [{ value: '4' }, { value: '5' }] })
  }
  expect(read('month', [[null, '9', '8']], 'lots')).toMatchObject({ value: '9', steps: [] })
})

it('is that of all rows without steps, and none where it does not follow from theirs', () => {
  const rows: [string, string, string][] = [
    ['a', '4', '2'],
    ['b', '5', '3'],
  ]
  expect(read(null, rows, 'lots')?.value).toBe('9')
  expect(read(null, rows, 'places')?.value).toBeNull()
})
