import { expect, it } from 'vitest'
import { add, canonical, formatDecimal, parseDecimal } from '@/lib/decimal'
import type { Row } from '@/sdk/report/api'
import type { Chart } from './chart'
import { pivotOf, spanOf } from './pivot'
import { group, measure, row, setOf } from './testing'

const set = setOf(
  [group('a'), group('b'), group('c'), group('d')],
  [measure('m'), measure('n', { sumType: 'average' })],
)

/** The sum of rows with these values, the plain way. */
const sumOf = (rows: Row[], wanted: [place: number, value: string | null][]): string | null => {
  const found = rows.filter(({ groups }) => wanted.every(([place, value]) => groups[place]?.value === value))
  const figures = found.flatMap(({ values: [m] }) => (m ? [parseDecimal(m)] : []))
  return figures.length === 0
    ? null
    : formatDecimal(figures.reduce((a, b) => (a && b ? add(a, b) : a)) as NonNullable<(typeof figures)[0]>)
}

/** Numbers that are the same every time. */
function random(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state % below
  }
}

it.each([1, 2, 3, 4, 5, 6])('every cell, subtotal and total is the sum of its rows (%d)', (seed) => {
  const next = random(seed)
  const rows: Row[] = []
  const seen = new Set<string>()
  for (let i = 0; i < 60; i++) {
    const groups = [next(3), next(3), next(2), next(2)].map((n) => (n === 0 ? null : `v${n}`))
    if (seen.has(JSON.stringify(groups))) continue // one row for each group, as data sets have them
    seen.add(JSON.stringify(groups))
    rows.push(row(groups, next(5) === 0 ? null : `${next(2) ? '' : '-'}9007199254740993.${next(100)}`, '1'))
  }
  const chart = { code: 'p', chartType: 'pivot', dataSet: 's', measures: ['m'], subtotals: seed % 2 === 0 } as Chart
  const down = seed % 3 === 0 ? ['a'] : ['a', 'b']
  const across = seed % 3 === 1 ? [] : ['c', 'd']
  const pivot = pivotOf({ ...chart, rows: down, columns: across }, set, rows)
  const place = (code: string) => set.groups.findIndex((one) => one.code === code)
  for (const line of pivot.lines) {
    const cells = pivot.cells(line)
    expect(cells).toHaveLength(pivot.columns.length)
    for (const [i, column] of pivot.columns.entries()) {
      const wanted = [
        ...line.values.map(({ value }, at) => [place(down[at] ?? ''), value] as [number, string | null]),
        ...column.values.map(({ value }, at) => [place(across[at] ?? ''), value] as [number, string | null]),
      ]
      expect(canonical(cells[i]?.value ?? ''), JSON.stringify(wanted)).toBe(sumOf(rows, wanted))
    }
  }
  expect(pivot.lines.filter(({ kind }) => kind === 'total')).toHaveLength(1)
  expect(pivot.lines.some(({ kind }) => kind === 'subtotal')).toBe(chart.subtotals === true && down.length > 1)
})

it('leaves out what its document does not want, and gives no total to what has none', () => {
  const rows = [row(['x', 'p', null, null], '1', '5'), row(['x', 'q', null, null], '2', '6')]
  const chart: Chart = { code: 'p', chartType: 'pivot', dataSet: 's', rows: ['a'], columns: ['b'], measures: ['n'] }
  const plain = pivotOf({ ...chart, rowTotals: false, columnTotals: false }, set, rows)
  expect([plain.lines.length, plain.columns.length]).toEqual([1, 2])
  const [line] = pivotOf(chart, set, rows).lines
  expect(
    line &&
      pivotOf(chart, set, rows)
        .cells(line)
        .map(({ value }) => value),
  ).toEqual(['5', '6', undefined])
})

it('headings reach over what they are about', () => {
  const rows = [row(['x', 'p'], '1'), row(['x', 'q'], '1'), row(['y', 'p'], '1')]
  const chart: Chart = {
    code: 'p',
    chartType: 'pivot',
    dataSet: 's',
    rows: ['a', 'b'],
    measures: ['m'],
    subtotals: true,
  }
  const { lines } = pivotOf(chart, set, rows)
  expect(lines.map(({ kind }) => kind)).toEqual(['leaf', 'leaf', 'subtotal', 'leaf', 'subtotal', 'total'])
  expect(lines.map((_, i) => spanOf(lines, i, 0))).toEqual([3, 0, 0, 2, 0, 1])
})

it('columns have the order of their values, which the first line need not have', () => {
  const of = setOf([group('place'), group('result')], [measure('m')])
  const at = (place: string, result: string, rank: number, value: string): Row => ({
    groups: [
      { value: place, text: place },
      { value: result, text: result, rank },
    ],
    values: [value],
  })
  const rows = [at('a', 'BAD', 2, '1'), at('b', 'OK', 1, '2'), at('b', 'BAD', 2, '3'), at('c', '', 0, '4')]
  const chart = { code: 'p', chartType: 'pivot', dataSet: 's', measures: ['m'] } as Chart
  const { columns } = pivotOf({ ...chart, rows: ['place'], columns: ['result'], rowTotals: false }, of, rows)
  expect(columns.map(({ values }) => values[0]?.value)).toEqual(['', 'OK', 'BAD'])
})
