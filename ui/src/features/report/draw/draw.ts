import { geometry } from '@/sdk/report/figures'
import { type Chart, measureAt } from '../chart'
import { axesDrawing } from './axes'
import { gaugeDrawing } from './gauge'
import { partsDrawing } from './parts'
import { heatDrawing, planDrawing, scatterDrawing } from './plane'
import { radarDrawing } from './radar'
import type { Drawing, Scene } from './scene'
import { figureOf, slotsOf } from './scene'
import { sCurveDrawing, waterfallDrawing } from './steps'

const placed = ({ chart, set, rows }: Scene) =>
  [chart.longitude, chart.latitude].every((code) => {
    const at = measureAt(set, code)
    return rows.some(({ values }) => values[at] !== null && values[at] !== undefined)
  })

/** Places are points on a plan where their coordinates are known. There are no borders in the program: else they are bars, the largest first. */
function placesDrawing(scene: Scene): Drawing {
  if (placed(scene)) return planDrawing(scene)
  const chart: Chart = {
    ...scene.chart,
    chartType: 'bar',
    horizontal: true,
    category: scene.chart.place ?? '',
    series: [scene.chart.measure ?? ''],
  }
  const asBars = { ...scene, chart }
  const sizes = new Map(
    slotsOf(asBars, chart.category).flatMap(({ rows }) => {
      const size = geometry(figureOf(asBars, rows, scene.chart.measure)) ?? Number.NEGATIVE_INFINITY
      return rows.map((row) => [row, size] as const)
    }),
  )
  const rows = [...scene.rows].sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0))
  return axesDrawing({ ...asBars, rows })
}

const kinds: Record<string, (scene: Scene) => Drawing> = {
  bar: axesDrawing,
  line: axesDrawing,
  area: axesDrawing,
  pie: partsDrawing,
  funnel: partsDrawing,
  gauge: gaugeDrawing,
  radar: radarDrawing,
  scatter: scatterDrawing,
  heatMap: heatDrawing,
  waterfall: waterfallDrawing,
  sCurve: sCurveDrawing,
  map: placesDrawing,
}

/** What the library draws for a chart; null for types that it does not draw. */
export const drawingOf = (scene: Scene): Drawing | null => kinds[scene.chart.chartType]?.(scene) ?? null
