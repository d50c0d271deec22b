import type {
  BarSeriesOption,
  FunnelSeriesOption,
  GaugeSeriesOption,
  HeatmapSeriesOption,
  LineSeriesOption,
  PieSeriesOption,
  RadarSeriesOption,
  ScatterSeriesOption,
} from 'echarts/charts'
import type {
  AriaComponentOption,
  DataZoomComponentOption,
  GridComponentOption,
  LegendComponentOption,
  TooltipComponentOption,
  VisualMapComponentOption,
} from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import type { DataSet, GroupValue, Measure, Row } from '@/sdk/report/api'
import { combine, inOrder, isPercent, keyOf, measureText } from '@/sdk/report/figures'
import { groupText, type Words } from '@/sdk/report/words'
import { type Chart, groupAt, measureAt } from '../chart'
import type { At } from '../drill'
import { rowsBy } from '../flat'
import type { Look } from './look'

export type Option = ComposeOption<
  | BarSeriesOption
  | FunnelSeriesOption
  | GaugeSeriesOption
  | HeatmapSeriesOption
  | LineSeriesOption
  | PieSeriesOption
  | RadarSeriesOption
  | ScatterSeriesOption
  | AriaComponentOption
  | DataZoomComponentOption
  | GridComponentOption
  | LegendComponentOption
  | TooltipComponentOption
  | VisualMapComponentOption
>

/** What a point says when somebody points at it, and what it opens. Its texts are exact; only its place is not. */
export interface Point {
  heading: string
  lines: { name: string; text: string; note?: string }[]
  /** Null: it opens nothing. */
  at: At | null
  /** Whose records it opens; without one those of the data set. */
  measure?: string | undefined
  /** Whether it is made of everything up to its step of time. */
  added?: boolean
}

export interface Drawing {
  option: Option
  /** By series and by place in its data, as the library counts them. */
  points: (Point | null)[][]
}

export interface Scene {
  chart: Chart
  set: DataSet
  rows: Row[]
  look: Look
  words: Words
  /** The day of today, where it matters what is still to come. */
  today: string
}

/** From here on shapes are drawn faster and with less detail. */
export const MANY = 2000
/** More categories than these are looked at through a window. */
export const WINDOW = 60
/** Series and slices that people can tell apart; the rest is one more. */
export const MOST_SERIES = 20

/** One value on an axis or in a legend, with the rows behind it. */
export interface Slot {
  /** Null: several values that were put together. */
  value: GroupValue | null
  text: string
  rows: Row[]
}

/** The values of a group in their order; above a limit the rest is one slot more. */
export function slotsOf(scene: Scene, code: string | undefined, most = Number.POSITIVE_INFINITY): Slot[] {
  const place = groupAt(scene.set, code)
  const found = inOrder(
    rowsBy(scene.rows, [place]).flatMap(({ values: [value], rows }) =>
      value ? [{ value, text: groupText(value, scene.words), rows }] : [],
    ),
  )
  if (found.length <= most) return found
  const rest = found.slice(most - 1).flatMap(({ rows }) => rows)
  return [...found.slice(0, most - 1), { value: null, text: scene.words.more, rows: rest }]
}

/** The empty value of a group by time: it has no place on a line, least of all before its first point. */
export function isUndated(set: DataSet, code: string | undefined, value: GroupValue | null): boolean {
  const group = set.groups[groupAt(set, code)]
  return Boolean(group?.timeStep && value && value.value === null && !value.others)
}

export const measureOf = ({ set }: Scene, code: string | undefined) => set.measures[measureAt(set, code)] as Measure

export const figureOf = ({ set }: Scene, rows: Row[], code: string | undefined): string | null =>
  combine(rows, measureAt(set, code), set) ?? null

export const textOf = (scene: Scene, value: string | null, code: string | undefined) =>
  measureText(value, measureOf(scene, code), scene.words)

/** The rows of a slot, by the slots of another group. */
export function crossed(scene: Scene, slot: Slot, code: string | undefined, slots: Slot[]): Row[][] {
  const place = groupAt(scene.set, code)
  const index = new Map(slots.flatMap(({ value }, i) => (value ? [[keyOf(value), i] as const] : [])))
  const rest = slots.findIndex(({ value }) => value === null)
  const result: Row[][] = slots.map(() => [])
  for (const row of slot.rows) {
    const value = row.groups[place]
    const at = value ? (index.get(keyOf(value)) ?? rest) : -1
    result[at]?.push(row)
  }
  return result
}

/** What a point of these slots opens. */
export function atOf({ set }: Scene, ...of: [code: string | undefined, slot: Slot][]): At | null {
  const at = new Map<number, GroupValue>()
  for (const [code, { value }] of of) {
    if (!value || value.others) return null
    at.set(groupAt(set, code), value)
  }
  return at
}

/** Figures at an axis are steps between figures, and no figures themselves: they are written short. */
export function tickText(measure: Measure, words: Words): (value: number) => string {
  const format = new Intl.NumberFormat(words.locale === 'zh' ? 'zh-CN' : 'en', {
    notation: 'compact',
    maximumFractionDigits: 2,
  })
  return isPercent(measure) ? (value) => `${Number((value * 100).toFixed(2))}%` : (value) => format.format(value)
}

export const colorOf = (look: Look, index: number) => look.series[index % look.series.length] as string
