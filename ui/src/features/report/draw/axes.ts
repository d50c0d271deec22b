import { exactSum } from '@/lib/decimal'
import { geometry, isPercent, shareText } from '@/sdk/report/figures'
import { seriesName, seriesOf, shapeOf } from '../chart'
import { base, categoryAxis, grid, label, quick, valueAxis, zoom } from './frame'
import {
  atOf,
  colorOf,
  crossed,
  type Drawing,
  figureOf,
  isUndated,
  MANY,
  MOST_SERIES,
  measureOf,
  type Point,
  type Scene,
  type Slot,
  slotsOf,
  textOf,
  tickText,
} from './scene'

interface Line {
  name: string
  as: 'bar' | 'line' | 'area'
  right: boolean
  color: string
  values: (string | null)[]
  points: (Point | null)[]
  /** What its values are shares of. */
  whole: (string | null)[] | null
}

/** What is pointed at shows all series at once, unless there are too many of them to read. */
const MOST_LINES = 12

const share = (value: number | null, whole: number) => (value === null || whole === 0 ? null : value / whole)

/** A series of the document; with splitBy one for each value of that group. */
function linesOf(scene: Scene, slots: Slot[], splits: Slot[] | null): Line[] {
  const { chart, words, look, set } = scene
  const cells = splits && slots.map((slot) => crossed(scene, slot, chart.splitBy, splits))
  const series = seriesOf(chart)
  const lines: Line[] = []
  for (const one of series) {
    const measure = measureOf(scene, one.measure)
    const as = shapeOf(chart, one)
    for (const [j, split] of (splits ?? [null]).entries()) {
      const named = seriesName(one, measure, words.locale)
      const name = split ? (series.length > 1 ? `${split.text} · ${named}` : split.text) : named
      const values = slots.map((slot, i) =>
        as !== 'bar' && isUndated(set, chart.category, slot.value)
          ? null
          : figureOf(scene, cells ? (cells[i]?.[j] ?? []) : slot.rows, one.measure),
      )
      const points = slots.map((slot, i): Point | null => {
        const value = values[i] ?? null
        if (value === null) return null
        const at = split
          ? atOf(scene, [chart.category, slot], [chart.splitBy, split])
          : atOf(scene, [chart.category, slot])
        // Of thousands of points few are ever read.
        return {
          heading: slot.text,
          get lines() {
            const note = line.whole && shareText(value, line.whole[i] ?? null)
            return [{ name, text: textOf(scene, value, one.measure), ...(note && { note }) }]
          },
          at,
          measure: one.measure,
        }
      })
      const color = (!split && one.color) || colorOf(look, lines.length)
      const line: Line = {
        name,
        as,
        right: one.axis === 'right',
        color,
        values,
        points,
        whole: null,
      }
      lines.push(line)
    }
  }
  return lines
}

/** Bars, lines and areas over the values of a group. */
export function axesDrawing(scene: Scene): Drawing {
  const { chart, words, set } = scene
  const bars = seriesOf(chart).some((one) => shapeOf(chart, one) === 'bar')
  const all = slotsOf(scene, chart.category)
  const slots = bars ? all : all.filter(({ value }) => !isUndated(set, chart.category, value))
  const splits = chart.splitBy ? slotsOf(scene, chart.splitBy, MOST_SERIES) : null
  const lines = linesOf(scene, slots, splits)
  const count = slots.length
  const percent = chart.stacked === 'percent'
  const stacked = percent || chart.stacked === 'values'
  const down = chart.horizontal === true
  const legend = lines.map(({ name }) => name)
  const stackOf = (line: Line) => `${line.as === 'bar' ? 'bar' : 'line'}${line.right ? 'R' : ''}`
  const inStack = (line: Line) => stacked && !(line.as === 'line' && chart.chartType === 'bar')
  const wholes = new Map<string, (string | null)[]>()
  if (percent)
    for (const line of lines.filter(inStack)) {
      const before = wholes.get(stackOf(line)) ?? slots.map(() => null)
      wholes.set(
        stackOf(line),
        before.map((sum, i) => exactSum([sum, line.values[i]])),
      )
    }
  const series = lines.map((line) => {
    const whole = inStack(line) ? wholes.get(stackOf(line)) : undefined
    const data = line.values.map((value, i) =>
      whole ? share(geometry(value), geometry(whole[i]) ?? 0) : geometry(value),
    )
    line.whole = whole ?? null
    const shared = {
      name: line.name,
      data,
      ...(inStack(line) && { stack: stackOf(line) }),
      ...(line.right && (down ? { xAxisIndex: 1 } : { yAxisIndex: 1 })),
      itemStyle: { color: line.color },
      label: {
        show: chart.valueLabels === true,
        ...label(scene),
        position: inStack(line) ? ('inside' as const) : down ? ('right' as const) : ('top' as const),
        formatter: ({ dataIndex }: { dataIndex: number }) => line.points[dataIndex]?.lines[0]?.text ?? '',
      },
      labelLayout: { hideOverlap: true },
    }
    if (line.as === 'bar') return { ...shared, type: 'bar' as const, barMaxWidth: 36, ...quick(count) }
    return {
      ...shared,
      type: 'line' as const,
      smooth: chart.smooth === true && count <= MANY,
      showSymbol: count <= 60,
      symbolSize: 6,
      sampling: count > MANY ? ('lttb' as const) : undefined,
      lineStyle: { color: line.color, width: 2 },
      ...(line.as === 'area' && { areaStyle: { color: line.color, opacity: inStack(line) ? 0.5 : 0.15 } }),
    }
  })
  const first = (right: boolean) => {
    const found = seriesOf(chart).find((one) => (one.axis === 'right') === right)
    return found && measureOf(scene, found.measure)
  }
  const axis = (right: boolean) => {
    const measure = first(right)
    if (!measure) return { type: 'value' as const, show: false }
    const shares = percent && lines.some((line) => line.right === right && inStack(line))
    const tick = shares ? (value: number) => `${Math.round(value * 100)}%` : tickText(measure, words)
    const named = shares || isPercent(measure) ? null : measure.unit
    return {
      ...valueAxis(scene, tick, named),
      ...(shares && { max: 1 }),
      ...(right && { splitLine: { show: false } }),
    }
  }
  const values = lines.some(({ right }) => right) ? [axis(false), axis(true)] : [axis(false)]
  const categories = categoryAxis(scene, { texts: slots.map(({ text }) => text), down })
  const timed = slots.some(({ value }) => value?.until !== undefined)
  return {
    option: {
      ...base(scene, legend, lines.length <= MOST_LINES ? (bars ? 'shadow' : 'line') : undefined),
      grid: grid(
        legend.length > 1,
        count > 60 && !down,
        values.some((one) => 'name' in one),
      ),
      xAxis: down ? values : { ...categories, boundaryGap: bars },
      yAxis: down ? categories : values,
      series,
      ...zoom(scene, count, { down, legend: legend.length > 1, all: !bars || timed }),
    },
    points: lines.map(({ points }) => points),
  }
}
