import { describe, expect, it } from 'vitest'
import type { DataSet, Row } from '@/sdk/report/api'
import type { Chart } from '../chart'
import { group, look, measure, row, setOf, words } from '../testing'
import { drawingOf } from './draw'
import { placeAfter } from './keys'
import type { Drawing, Scene } from './scene'
import { tooltipOf } from './tooltip'

const set = setOf(
  [group('month', { timeStep: 'month' }), group('party')],
  [
    measure('amount', { unit: '元', scale: 2 }),
    measure('good', { sumType: 'count' }),
    measure('lots', { sumType: 'count' }),
    measure('rate', { sumType: 'ratio', displayFormat: 'percent', numerator: 'good', denominator: 'lots' }),
  ],
)
const month = (m: number) => ({ value: `2026-0${m}-01`, text: `2026-0${m}`, until: `2026-0${m}-28` })
const rows: Row[] = [
  row([month(1), 'A'], '9007199254740993.10', '1', '2', '0.5'),
  row([month(1), null], '0.20', '0', '2', '0'),
  row([month(2), 'A'], '-5', '3', '4', '0.75'),
  row([month(3), { value: null, text: '', others: true }], '7', null, '1', null),
]

const draw = (chart: Partial<Chart>, of: Row[] = rows, own: DataSet = set): Drawing => {
  const scene: Scene = {
    chart: { code: 'c', chartType: 'bar', dataSet: 's', ...chart },
    set: own,
    rows: of,
    look,
    words,
    today: '2026-02-15',
  }
  const drawing = drawingOf(scene)
  if (!drawing) throw new Error('nothing drawn')
  return drawing
}
type Drawn = {
  type: string
  name?: string
  data: unknown[]
  stack?: string
  yAxisIndex?: number
  large?: boolean
  sampling?: string
}
const series = ({ option }: Drawing) => option.series as unknown as Drawn[]
const said = ({ points }: Drawing) =>
  points.map((of) =>
    of.map(
      (point) =>
        point &&
        `${point.heading}: ${point.lines.map(({ text, note }) => (note ? `${text} ${note}` : text)).join(', ')}`,
    ),
  )

const month3 = { category: 'month' }
const party = { category: 'party' }

describe('what is drawn', () => {
  it.each<[string, Partial<Chart>, (string | null)[][]]>([
    [
      'bars put the rows of a group together, exactly',
      { ...month3, series: ['amount'] },
      [['2026-01: 9,007,199,254,740,993.30 元', '2026-02: −5.00 元', '2026-03: 7.00 元']],
    ],
    [
      'a ratio of several rows is that of their totals',
      { ...month3, series: ['rate'] },
      [['2026-01: 25%', '2026-02: 75%', null]],
    ],
    [
      'a series for each value of a group; empty ones and others have words',
      { ...month3, series: ['lots'], splitBy: 'party' },
      [
        ['2026-01: 2', '2026-02: 4', null],
        ['2026-01: 2', null, null],
        [null, null, '2026-03: 1'],
      ],
    ],
    [
      'shares of what is stacked to a hundred',
      { ...month3, series: ['good', 'lots'], stacked: 'percent' },
      [
        ['2026-01: 1 20.0%', '2026-02: 3 42.9%', null],
        ['2026-01: 4 80.0%', '2026-02: 4 57.1%', '2026-03: 1 100.0%'],
      ],
    ],
    [
      'slices',
      { chartType: 'pie', ...party, measure: 'lots' },
      [['A: 6 66.7%', '(empty): 2 22.2%', 'Others: 1 11.1%']],
    ],
    [
      'stages, compared with the largest',
      { chartType: 'funnel', ...party, measure: 'lots' },
      [['A: 6 100.0%', '(empty): 2 33.3%', 'Others: 1 16.7%']],
    ],
    ['one figure and its target', { chartType: 'gauge', measure: 'good', target: 'lots' }, [['good: 4, 9']]],
    [
      'points of two figures and a size',
      { chartType: 'scatter', ...party, across: 'lots', up: 'amount', size: 'good' },
      [['A: 6, 9,007,199,254,740,988.10 元, 4', '(empty): 2, 0.20 元, 0', 'Others: 1, 7.00 元, –']],
    ],
    [
      'fields',
      { chartType: 'heatMap', across: 'month', up: 'party', measure: 'lots' },
      [['2026-01 · A: 2', '2026-01 · (empty): 2', '2026-02 · A: 4', '2026-03 · Others: 1']],
    ],
    [
      'shapes with a corner for each group',
      { chartType: 'radar', ...party, series: ['good', 'lots'] },
      [['good: 4, 0, –', 'lots: 6, 2, 1']],
    ],
    [
      'steps with what they add up to',
      { chartType: 'waterfall', ...month3, measure: 'lots' },
      [
        [null, null, null, null],
        ['2026-01: 4, 4', '2026-02: 4, 8', '2026-03: 1, 9', 'Total: 9'],
        ['2026-01: 4, 4', '2026-02: 4, 8', '2026-03: 1, 9', 'Total: 9'],
      ],
    ],
    [
      'curves that add up; what is done ends where nothing more is known',
      { chartType: 'sCurve', ...month3, planned: 'lots', actual: 'good' },
      [
        ['2026-01: 4', '2026-02: 8', '2026-03: 9'],
        ['2026-01: 1', '2026-02: 4', null],
      ],
    ],
    [
      'places, the largest first',
      { chartType: 'map', place: 'party', measure: 'amount' },
      [['A: 9,007,199,254,740,988.10 元', 'Others: 7.00 元', '(empty): 0.20 元']],
    ],
  ])('%s', (_, chart, points) => expect(said(draw(chart))).toEqual(points))

  it('has kinds, axes and stacks as the document says', () => {
    const drawn = draw({
      ...month3,
      series: ['amount', { measure: 'rate', drawnAs: 'line', axis: 'right', color: '#1677ff' }],
      stacked: 'values',
    })
    expect(series(drawn).map(({ type, stack, yAxisIndex }) => [type, stack, yAxisIndex])).toEqual([
      ['bar', 'bar', undefined],
      ['line', undefined, 1],
    ])
    expect(series(draw({ chartType: 'area', ...month3, series: ['lots'] }))[0]).toMatchObject({
      type: 'line',
      areaStyle: {},
    })
    const lying = draw({ ...month3, series: ['lots'], horizontal: true }).option
    expect([lying.xAxis, lying.yAxis]).toMatchObject([[{ type: 'value' }], { type: 'category', inverse: true }])
  })

  it('has no point for what has no time, least of all before the first; bars keep theirs', () => {
    const undated = [row([null, 'A'], '1', '5', '5', '1'), ...rows]
    const line = { ...month3, series: ['lots'] }
    const starts = (of: Drawing) => said(of).map(([first]) => first)
    expect(starts(draw({ chartType: 'line', ...line }, undated))).toEqual(['2026-01: 4'])
    expect(starts(draw({ chartType: 'area', ...line }, undated))).toEqual(['2026-01: 4'])
    const curves = { chartType: 'sCurve', ...month3, planned: 'lots', actual: 'good' }
    expect(starts(draw(curves, undated))).toEqual(['2026-01: 4', '2026-01: 1'])
    const mixed = { ...month3, series: ['lots', { measure: 'good', drawnAs: 'line' as const }] }
    expect(starts(draw(mixed, undated))).toEqual(['(empty): 5', null])
  })

  it('names the only slice, which has no legend', () => {
    const captions = (of: Row[]) =>
      (series(draw({ chartType: 'pie', ...party, measure: 'lots' }, of)) as unknown as { label: unknown }[]).map(
        ({ label }) => (label as { formatter: (at: object) => string }).formatter({ dataIndex: 0 }),
      )
    expect(captions([rows[0] as Row])).toEqual(['A 100.0%'])
    expect(captions(rows)[0]).not.toContain('A')
  })

  it('has no slice, no stage and no corner for what has no value', () => {
    const none = [row([month(1), 'A'], null, '1', '2', null), row([month(1), 'B'], '7', null, '1', null)]
    for (const chartType of ['pie', 'funnel']) {
      const drawn = draw({ chartType, ...party, measure: 'amount' }, none)
      expect(said(drawn)).toEqual([['B: 7.00 元 100.0%']])
      expect(series(drawn)[0]?.data).toHaveLength(1)
    }
    const [shape] = series(draw({ chartType: 'radar', ...party, series: ['good'] }, none))
    expect(shape?.data).toMatchObject([{ value: [1, '-'] }])
  })

  it('leads across zero', () => {
    const steps = [row([month(1), 'A'], '5'), row([month(2), 'A'], '-8'), row([month(3), 'A'], '-1')]
    const drawn = series(draw({ chartType: 'waterfall', ...month3, measure: 'amount' }, steps))
    expect(drawn.map(({ data }) => data.map((one) => (one as { value: number }).value))).toEqual([
      [0, 0, -3, 0],
      [5, 5, 0, 0],
      [0, -3, -1, -4],
    ])
  })

  it('opens what stands for one value of each group, and nothing for the rest', () => {
    const { points } = draw({ ...month3, series: ['lots'], splitBy: 'party' })
    expect([...(points[0]?.[0]?.at ?? [])].map(([place, { value }]) => [place, value])).toEqual([
      [0, '2026-01-01'],
      [1, 'A'],
    ])
    expect(points[2]?.[2]?.at).toBeNull()
  })

  it('puts together what people cannot tell apart, and keeps the total', () => {
    const many = Array.from({ length: 500 }, (_, i) => row([month(1), `p${i}`], '1', '1', '1', '1'))
    const [slices] = said(draw({ chartType: 'pie', ...party, measure: 'lots' }, many))
    expect(slices).toHaveLength(20)
    expect(slices?.at(-1)).toBe('Remaining: 481 96.2%')
  })

  it('stays quick with many points', () => {
    const many = Array.from({ length: 10_000 }, (_, i) =>
      row([{ value: `${i}`, text: `${i}` }, 'A'], `${i}`, '1', '1', '1'),
    )
    const [line] = series(draw({ chartType: 'line', ...month3, series: ['amount'] }, many))
    const bars = draw({ ...month3, series: ['amount'] }, many)
    expect([line?.sampling, series(bars)[0]?.large]).toEqual(['lttb', true])
    expect(bars.option.dataZoom).toHaveLength(2)
    // Shapes of a pixel are looked at through a window.
    const steps = draw({ chartType: 'waterfall', ...month3, measure: 'amount' }, many)
    const fields = draw({ chartType: 'heatMap', across: 'month', up: 'party', measure: 'lots' }, many)
    const windows = [steps, fields].map(({ option }) => [option.dataZoom].flat().map((one) => one?.endValue))
    expect(windows).toEqual([
      [59, 59],
      [59, 59],
    ])
  })
})

describe('a point', () => {
  const { points } = draw({ ...month3, series: ['good', 'lots'] })

  it.each([
    ['ArrowRight', null, { series: 0, index: 0 }],
    ['ArrowRight', { series: 0, index: 0 }, { series: 0, index: 1 }],
    ['ArrowRight', { series: 0, index: 1 }, { series: 0, index: 1 }], // nothing after it
    ['ArrowDown', { series: 0, index: 1 }, { series: 1, index: 1 }],
    ['End', { series: 1, index: 0 }, { series: 1, index: 2 }],
    ['Tab', { series: 1, index: 0 }, null],
  ])('is left with %s', (key, from, to) => expect(placeAfter(key, from, points)).toEqual(to))

  it('says names as they are, whatever they hold', () => {
    const evil = '<img src=x onerror=alert(1)>'
    const { points } = draw({ ...party, series: ['lots'] }, [row([month(1), evil], '1', '1', '1', '1')])
    const css = { box: 'b', line: 'l', dot: 'd', hint: 'h' }
    const tip = (hint: string | null, of = points) =>
      tooltipOf({ seriesIndex: 0, dataIndex: 0, color: '#123456' }, of, css, hint)
    const box = tip(null)
    expect(box).toBeInstanceOf(HTMLElement)
    expect((box as HTMLElement).querySelector('.h')).toBeNull()
    // How it opens is said where it does.
    expect((tip('again') as HTMLElement).querySelector('.h')?.textContent).toBe('again')
    const shut = points.map((all) => all.map((one) => one && { ...one, at: null }))
    expect((tip('again', shut) as HTMLElement).querySelector('.h')).toBeNull()
    expect((box as HTMLElement).querySelector('img')).toBeNull()
    expect((box as HTMLElement).querySelector('b')?.textContent).toBe(evil)
  })

  it('places points on a plan where coordinates are known, and has bars else', () => {
    const sites = setOf(
      [group('site')],
      [
        measure('lots', { sumType: 'count' }),
        measure('lon', { sumType: 'average' }),
        measure('lat', { sumType: 'average' }),
      ],
    )
    const chart = { chartType: 'map', place: 'site', measure: 'lots', longitude: 'lon', latitude: 'lat' }
    const at = [row(['A'], '9', '118.10', '32.05'), row(['B'], '1', '118.30', '32.06'), row([null], '4', null, null)]
    const plan = draw(chart, at, sites)
    expect(series(plan).map(({ type }) => type)).toEqual(['scatter'])
    const [{ data } = { data: [] }] = series(plan)
    expect((data as { value: number[]; symbolSize: number }[]).map(({ value }) => value)).toEqual([
      [118.1, 32.05],
      [118.3, 32.06],
    ])
    expect((data as { symbolSize: number }[]).map(({ symbolSize }) => Math.round(symbolSize))).toEqual([40, 19])
    expect(said(plan)).toEqual([['A: 9', 'B: 1']])
    const axes = [plan.option.xAxis, plan.option.yAxis] as unknown as { min: number; max: number }[]
    const spans = axes.map(({ min, max }) => max - min)
    expect(spans[1]).toBeCloseTo((spans[0] ?? 0) * Math.cos((32.055 * Math.PI) / 180), 5)
    const unknown = [row(['A'], '9', null, null)]
    expect(series(draw(chart, unknown, sites)).map(({ type }) => type)).toEqual(['bar'])
  })
})
