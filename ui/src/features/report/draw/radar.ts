import { geometry } from '@/sdk/report/figures'
import { seriesName, seriesOf } from '../chart'
import { base, label } from './frame'
import {
  atOf,
  colorOf,
  crossed,
  type Drawing,
  figureOf,
  MOST_SERIES,
  measureOf,
  type Point,
  type Scene,
  slotsOf,
  textOf,
} from './scene'

/** A corner for each category; one shape for each series. */
export function radarDrawing(scene: Scene): Drawing {
  const { chart, look, words } = scene
  const slots = slotsOf(scene, chart.category, MOST_SERIES)
  const splits = chart.splitBy ? slotsOf(scene, chart.splitBy, MOST_SERIES) : null
  const cells = splits && slots.map((slot) => crossed(scene, slot, chart.splitBy, splits))
  const series = seriesOf(chart)
  const shapes = series.flatMap((one) =>
    (splits ?? [null]).map((split, j) => {
      const named = seriesName(one, measureOf(scene, one.measure), words.locale)
      const values = slots.map((slot, i) => figureOf(scene, cells ? (cells[i]?.[j] ?? []) : slot.rows, one.measure))
      const point: Point = {
        heading: split ? (series.length > 1 ? `${split.text} · ${named}` : split.text) : named,
        lines: slots.map(({ text }, i) => ({ name: text, text: textOf(scene, values[i] ?? null, one.measure) })),
        at: split ? atOf(scene, [chart.splitBy, split]) : new Map(),
        measure: one.measure,
      }
      return { point, color: (!split && one.color) || null, values: values.map(geometry) }
    }),
  )
  const known = shapes.flatMap(({ values }) => values.flatMap((value) => value ?? []))
  const [most, least] = [Math.max(...known, 0), Math.min(...known, 0)]
  return {
    option: {
      ...base(
        scene,
        shapes.map(({ point }) => point.heading),
      ),
      radar: {
        center: ['50%', '46%'],
        radius: '60%',
        indicator: slots.map(({ text }) => ({ name: text, max: most || 1, min: least })),
        axisName: { ...label(scene), overflow: 'truncate', width: 72 },
        axisLine: { lineStyle: { color: look.line } },
        splitLine: { lineStyle: { color: look.line } },
        splitArea: { show: false },
      },
      series: [
        {
          type: 'radar',
          symbolSize: 5,
          data: shapes.map(({ point, color, values }, i) => ({
            name: point.heading,
            // What has no value has no corner: the library knows the dash.
            value: values.map((value) => value ?? '-') as number[],
            itemStyle: { color: color ?? colorOf(look, i) },
            areaStyle: { opacity: 0.12 },
          })),
        },
      ],
    },
    points: [shapes.map(({ point }) => point)],
  }
}
