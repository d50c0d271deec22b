import { exactSum } from '@/lib/decimal'
import { localName } from '@/lib/local-name'
import { geometry } from '@/sdk/report/figures'
import { base, categoryAxis, grid, label, valueAxis, zoom } from './frame'
import {
  atOf,
  type Drawing,
  figureOf,
  isUndated,
  MANY,
  measureOf,
  type Point,
  type Scene,
  slotsOf,
  textOf,
  tickText,
} from './scene'

/** Steps up and down from zero to the total. */
export function waterfallDrawing(scene: Scene): Drawing {
  const { chart, look, words } = scene
  const slots = slotsOf(scene, chart.category)
  const measure = measureOf(scene, chart.measure)
  const name = localName(measure, words.locale)
  const text = (value: string | null) => textOf(scene, value, chart.measure)
  const shapes: { from: number; to: number; color: string; point: Point | null }[] = []
  let running: string | null = null
  for (const slot of slots) {
    const value = figureOf(scene, slot.rows, chart.measure)
    const next: string | null = exactSum([running, value])
    const [from, to]: [number, number] = [geometry(running) ?? 0, geometry(next) ?? 0]
    const lines = [
      { name, text: text(value) },
      { name: words.running, text: text(next) },
    ]
    const point =
      value === null
        ? null
        : { heading: slot.text, lines, at: atOf(scene, [chart.category, slot]), measure: chart.measure }
    shapes.push({ from, to, color: to < from ? look.bad : look.good, point })
    running = next
  }
  const end = { heading: words.total, lines: [{ name, text: text(running) }], at: new Map(), measure: chart.measure }
  shapes.push({ from: 0, to: geometry(running) ?? 0, color: look.accent, point: end })
  const texts = [...slots.map((slot) => slot.text), words.total]
  const shown = ({ dataIndex }: { dataIndex: number }) => shapes[dataIndex]?.point?.lines[0]?.text ?? ''
  const bar = (values: number[], hidden: boolean) => ({
    type: 'bar' as const,
    stack: 'steps',
    barMaxWidth: 48,
    silent: hidden,
    data: values.map((value, i) => ({
      value,
      itemStyle: { color: hidden ? 'transparent' : (shapes[i]?.color ?? look.accent) },
    })),
  })
  // Above and below zero bars are stacked apart: what leads across it has a part on either side.
  const bases = shapes.map(({ from, to }) =>
    from > 0 && to > 0 ? Math.min(from, to) : from < 0 && to < 0 ? Math.max(from, to) : 0,
  )
  const above = shapes.map(({ from, to }, i) => Math.max(from, to, 0) - Math.max(bases[i] ?? 0, 0))
  const below = shapes.map(({ from, to }, i) => Math.min(from, to, 0) - Math.min(bases[i] ?? 0, 0))
  const points = shapes.map(({ point }) => point)
  const written = { show: chart.valueLabels === true, ...label(scene), formatter: shown }
  return {
    option: {
      ...base(scene, []),
      grid: grid(false, texts.length > 60, Boolean(measure.unit)),
      xAxis: categoryAxis(scene, { texts }),
      yAxis: valueAxis(scene, tickText(measure, words), measure.unit),
      series: [
        bar(bases, true),
        { ...bar(above, false), label: { ...written, position: 'top' as const }, labelLayout: { hideOverlap: true } },
        bar(below, false),
      ],
      ...zoom(scene, texts.length, { legend: false, all: texts.length <= MANY }),
    },
    points: [points.map(() => null), points, points],
  }
}

interface Curve {
  code: string
  name: string
  values: (string | null)[]
}

/** Each figure with all before it; a measure that the server adds up stays as it is. */
function added(values: (string | null)[], already: boolean): (string | null)[] {
  let sum: string | null = null
  return values.map((value) => {
    sum = already ? (value ?? sum) : exactSum([sum, value])
    return sum
  })
}

/** What is planned against what is done, both added up over time. */
export function sCurveDrawing(scene: Scene): Drawing {
  const { chart, look, words, today, set } = scene
  const slots = slotsOf(scene, chart.category).filter(({ value }) => !isUndated(set, chart.category, value))
  const curve = (code: string): Curve => {
    const measure = measureOf(scene, code)
    const values = slots.map(({ rows }) => figureOf(scene, rows, code))
    return { code, name: localName(measure, words.locale), values: added(values, measure.sumType === 'cumulative') }
  }
  const planned = curve(chart.planned ?? '')
  const actual = curve(chart.actual ?? '')
  // What is done ends today, and where nothing more is known.
  const known = slots.map(({ rows }) => figureOf(scene, rows, chart.actual))
  const later = (i: number) => {
    const start = slots[i]?.value?.value ?? ''
    return start > today && (known[i] === null || geometry(known[i]) === 0)
  }
  let last = known.length - 1
  while (last >= 0 && (known[last] === null || later(last))) last--
  actual.values = actual.values.map((value, i) => (i <= last ? value : null))
  const curves = [planned, actual, ...(chart.forecast ? [curve(chart.forecast)] : [])]
  const colors = [look.secondary, look.accent, look.series[1] ?? look.accent]
  const points = curves.map(({ code, name, values }) =>
    slots.map((slot, i): Point | null => {
      const value = values[i] ?? null
      if (value === null) return null
      return {
        heading: slot.text,
        get lines() {
          return [{ name, text: textOf(scene, value, code) }]
        },
        at: atOf(scene, [chart.category, slot]),
        measure: code,
        added: true,
      }
    }),
  )
  const measure = measureOf(scene, chart.planned)
  const legend = curves.map(({ name }) => name)
  return {
    option: {
      ...base(scene, legend, 'line'),
      grid: grid(true, slots.length > 60, Boolean(measure.unit)),
      xAxis: { ...categoryAxis(scene, { texts: slots.map(({ text }) => text) }), boundaryGap: false },
      yAxis: valueAxis(scene, tickText(measure, words), measure.unit),
      series: curves.map(({ name, values }, i) => ({
        name,
        type: 'line' as const,
        data: values.map(geometry),
        ...(slots.length > MANY ? { sampling: 'lttb' as const } : { smooth: 0.3, smoothMonotone: 'x' as const }),
        showSymbol: slots.length <= 60,
        symbolSize: 5,
        itemStyle: { color: colors[i] ?? look.accent },
        lineStyle: {
          color: colors[i] ?? look.accent,
          width: 2,
          type: i === 1 ? ('solid' as const) : ('dashed' as const),
        },
        ...(i === 1 && { areaStyle: { color: look.accent, opacity: 0.1 } }),
      })),
      ...zoom(scene, slots.length, { legend: true, all: true }),
    },
    points,
  }
}
