import { type Locale, localName, type Named } from '@/lib/local-name'
import type { DataSet, Measure } from '@/sdk/report/api'

export interface Series {
  measure: string
  name?: string
  name_i18n?: Record<string, string> | null
  drawnAs?: 'bar' | 'line' | 'area'
  axis?: 'left' | 'right'
  color?: string
}

/** A chart as its document has it: what it holds depends on its type (docs/authoring.md). */
export interface Chart {
  code: string
  chartType: string
  dataSet: string
  name?: string
  name_i18n?: Record<string, string> | null
  x?: number
  y?: number
  width?: number
  height?: number
  queryCode?: string
  category?: string
  series?: (string | Series)[]
  splitBy?: string
  stacked?: 'none' | 'values' | 'percent'
  horizontal?: boolean
  smooth?: boolean
  valueLabels?: boolean
  measure?: string
  donut?: boolean
  min?: string
  max?: string
  target?: string
  across?: string
  up?: string
  size?: string
  planned?: string
  actual?: string
  forecast?: string
  place?: string
  longitude?: string
  latitude?: string
  rows?: string[]
  columns?: string[]
  measures?: string[]
  rowTotals?: boolean
  columnTotals?: boolean
  subtotals?: boolean
  compare?: string
  trend?: string
}

export const CHART_TYPES = new Set(
  'bar line area pie funnel gauge scatter heatMap radar waterfall sCurve map pivot figure'.split(' '),
)

export const seriesOf = (chart: Chart): Series[] =>
  (chart.series ?? []).map((one) => (typeof one === 'string' ? { measure: one } : one))

const AXES = new Set(['bar', 'line', 'area'])

/** What a series is drawn as where it says nothing itself. */
export const shapeOf = ({ chartType }: Chart, { drawnAs }: Series): NonNullable<Series['drawnAs']> =>
  drawnAs ?? (chartType === 'area' || chartType === 'line' ? chartType : 'bar')

/** The measures that a chart draws as lines over its category. */
export function linesIn(chart: Chart): string[] {
  if (chart.chartType === 'sCurve') return present([chart.planned, chart.actual, chart.forecast])
  if (!AXES.has(chart.chartType)) return []
  return seriesOf(chart).flatMap((one) => (shapeOf(chart, one) === 'bar' ? [] : one.measure))
}

const present = (codes: (string | undefined)[]) => codes.filter((code): code is string => code !== undefined)

/** Axes of scatter charts are measures, those of heat maps groups. */
const acrossIsGroup = (chart: Chart) => chart.chartType === 'heatMap'

/** The codes of the groups that a chart names, each once. */
export function groupsOf(chart: Chart): string[] {
  const axes = acrossIsGroup(chart) ? [chart.up, chart.across] : []
  const own = [chart.category, chart.place, ...axes, chart.splitBy, ...(chart.rows ?? []), ...(chart.columns ?? [])]
  return [...new Set(present([...own, chart.trend]))]
}

/** The codes of the measures that a chart names, each once. */
export function measuresOf(chart: Chart): string[] {
  const axes = acrossIsGroup(chart) ? [] : [chart.across, chart.up]
  const curves = [chart.longitude, chart.latitude, chart.size, chart.planned, chart.actual, chart.forecast]
  const own = [...seriesOf(chart).map(({ measure }) => measure), chart.measure, ...(chart.measures ?? [])]
  return [...new Set(present([...own, ...axes, ...curves, chart.target, chart.compare]))]
}

/** Where a group is in the rows of a data set; -1 = nowhere. */
export const groupAt = (set: DataSet, code: string | undefined) => set.groups.findIndex((one) => one.code === code)

export const measureAt = (set: DataSet, code: string | undefined) => set.measures.findIndex((one) => one.code === code)

/** What a chart names and its data set does not have; a report that changed while it was open, mostly. */
export const missingOf = (chart: Chart, set: DataSet): string[] => [
  ...groupsOf(chart).filter((code) => groupAt(set, code) < 0),
  ...measuresOf(chart).filter((code) => measureAt(set, code) < 0),
]

/** Its own name, else those of its measures. */
export function titleOf(chart: Chart, set: DataSet | undefined, locale: Locale): string {
  if (chart.name) return localName(chart as Named, locale)
  const measures = measuresOf(chart).flatMap((code) => set?.measures.find((one) => one.code === code) ?? [])
  return measures.map((one) => localName(one, locale)).join(locale === 'zh' ? '、' : ', ') || chart.code
}

/** The name of a series: its own, else that of its measure. */
export const seriesName = (series: Series | undefined, measure: Measure, locale: Locale) =>
  localName(series?.name ? (series as Named) : measure, locale)
