import { mix } from '@/lib/colour'
import { localName } from '@/lib/local-name'
import { geometry } from '@/sdk/report/figures'
import { groupText } from '@/sdk/report/words'
import { groupAt } from '../chart'
import { rowsBy } from '../flat'
import { base, categoryAxis, grid, label, quick, valueAxis, zoom } from './frame'
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
  tickText,
  WINDOW,
} from './scene'

/** The least and the largest point, as across in pixels. */
const SIZES = [8, 40] as const
const PLAIN = 10

/** A point for each value of a group, placed by two figures; a third is its size. */
export function scatterDrawing(scene: Scene): Drawing {
  const { chart, set, rows, look, words } = scene
  const places = [groupAt(set, chart.category), ...(chart.splitBy ? [groupAt(set, chart.splitBy)] : [])]
  const splits = chart.splitBy ? slotsOf(scene, chart.splitBy, MOST_SERIES) : null
  const names = (code: string) => localName(measureOf(scene, code), words.locale)
  const codes = [chart.across, chart.up, chart.size].filter((code): code is string => code !== undefined)
  const all = rowsBy(rows, places)
  const sizes = chart.size ? all.map((one) => Math.max(geometry(figureOf(scene, one.rows, chart.size)) ?? 0, 0)) : []
  const largest = Math.max(...sizes, 0)
  const sizeOf = (value: number) => SIZES[0] + (SIZES[1] - SIZES[0]) * Math.sqrt(largest ? value / largest : 0)
  const groups = splits ?? [{ value: null, text: names(chart.up ?? ''), rows }]
  const series = groups.map((split) => {
    const points: (Point | null)[] = []
    const data: { value: [number, number]; symbolSize?: number }[] = []
    for (const { values, rows: own } of rowsBy(split.rows, places)) {
      const [x, y] = [chart.across, chart.up].map((code) => geometry(figureOf(scene, own, code)))
      if (x === null || y === null || x === undefined || y === undefined) continue
      const at = values.some(({ others }) => others) ? null : new Map(values.map((v, i) => [places[i] ?? -1, v]))
      points.push({
        heading: values.map((value) => groupText(value, words)).join(' · '),
        lines: codes.map((code) => ({ name: names(code), text: textOf(scene, figureOf(scene, own, code), code) })),
        at,
      })
      const size = chart.size ? sizeOf(Math.max(geometry(figureOf(scene, own, chart.size)) ?? 0, 0)) : null
      data.push({ value: [x, y], ...(size !== null && { symbolSize: size }) })
    }
    return { name: split.text, points, data }
  })
  const axis = (code: string) => {
    const measure = measureOf(scene, code)
    const name = measure.unit ? `${names(code)} (${measure.unit})` : names(code)
    return { ...valueAxis(scene, tickText(measure, words), name), scale: true }
  }
  const legend = splits ? series.map(({ name }) => name) : []
  return {
    option: {
      ...base(scene, legend),
      grid: { ...grid(legend.length > 1, false, true), bottom: legend.length > 1 ? 56 : 32 },
      xAxis: { ...axis(chart.across ?? ''), nameLocation: 'middle', nameGap: 28 },
      yAxis: axis(chart.up ?? ''),
      series: series.map(({ name, data }, i) => ({
        name,
        data,
        type: 'scatter' as const,
        symbolSize: PLAIN,
        itemStyle: { color: colorOf(look, i), opacity: 0.75 },
        ...(chart.size ? {} : quick(data.length)),
      })),
    },
    points: series.map(({ points }) => points),
  }
}

/** A degree of longitude is shorter than one of latitude, the more so the further from the equator. */
const shrunk = (latitude: number) => Math.max(Math.cos((latitude * Math.PI) / 180), 0.05)

/** How much more than its points a plan shows, and the least that it shows, in degrees. */
const MARGIN = 0.12
const LEAST = 0.002

/** The least and the largest value of an axis around points, wide enough to hold a span. */
function around(values: number[], span: number): { min: number; max: number } {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const middle = (least + most) / 2
  return { min: middle - span / 2, max: middle + span / 2 }
}

/** A degree as maps write it. */
const degrees = (value: number, positive: string, negative: string) =>
  `${Number(Math.abs(value).toFixed(4))}°${value < 0 ? negative : positive}`

/** Places on a plain plan, north on top: the larger the figure, the larger the point. There are no borders and no foreign maps. */
export function planDrawing(scene: Scene): Drawing {
  const { chart, set, rows, look, words } = scene
  const place = groupAt(set, chart.place)
  const measure = measureOf(scene, chart.measure)
  const found = rowsBy(rows, [place]).flatMap(({ values, rows: own }) => {
    const [x, y] = [chart.longitude, chart.latitude].map((code) => geometry(figureOf(scene, own, code)))
    return x === null || y === null || x === undefined || y === undefined ? [] : [{ x, y, value: values[0], own }]
  })
  const size = (own: (typeof found)[number]['own']) => Math.max(geometry(figureOf(scene, own, chart.measure)) ?? 0, 0)
  const largest = Math.max(...found.map(({ own }) => size(own)), 0)
  const [xs, ys] = [found.map(({ x }) => x), found.map(({ y }) => y)]
  const narrow = shrunk((Math.min(...ys) + Math.max(...ys)) / 2)
  const wide = (Math.max(...xs) - Math.min(...xs)) * narrow
  const span = Math.max(wide, Math.max(...ys) - Math.min(...ys), LEAST) * (1 + 2 * MARGIN)
  const axis = (of: { min: number; max: number }, positive: string, negative: string) => ({
    ...valueAxis(scene, (value: number) => degrees(value, positive, negative)),
    ...of,
    scale: true,
    splitNumber: 4,
  })
  return {
    option: {
      ...base(scene, []),
      grid: { ...grid(false, false, true), bottom: 24 },
      xAxis: axis(around(xs, span / narrow), 'E', 'W'),
      yAxis: axis(around(ys, span), 'N', 'S'),
      series: [
        {
          type: 'scatter' as const,
          data: found.map(({ x, y, own }) => ({
            value: [x, y],
            symbolSize: SIZES[0] + (SIZES[1] - SIZES[0]) * Math.sqrt(largest ? size(own) / largest : 0),
          })),
          itemStyle: { color: look.accent, opacity: 0.7, borderColor: look.surface, borderWidth: 1 },
          label: {
            show: true,
            position: 'right' as const,
            color: look.text,
            fontSize: 11,
            formatter: ({ dataIndex }: { dataIndex: number }) => {
              const value = found[dataIndex]?.value
              return value ? groupText(value, words) : ''
            },
          },
          labelLayout: { hideOverlap: true },
        },
      ],
    },
    points: [
      found.map(({ value, own }) => ({
        heading: value ? groupText(value, words) : '',
        lines: [
          {
            name: localName(measure, words.locale),
            text: textOf(scene, figureOf(scene, own, chart.measure), chart.measure),
          },
        ],
        at: value && !value.others ? new Map([[place, value]]) : null,
        measure: chart.measure,
      })),
    ],
  }
}

/** A field for each pair of values, the darker the more. */
export function heatDrawing(scene: Scene): Drawing {
  const { chart, look, words } = scene
  const [across, up] = [slotsOf(scene, chart.across), slotsOf(scene, chart.up)]
  const measure = measureOf(scene, chart.measure)
  const points: (Point | null)[] = []
  const data: [number, number, number][] = []
  for (const [i, slot] of across.entries()) {
    for (const [j, rows] of crossed(scene, slot, chart.up, up).entries()) {
      const other = up[j]
      const value = rows.length > 0 && other ? figureOf(scene, rows, chart.measure) : null
      const drawn = geometry(value)
      if (drawn === null || !other) continue
      data.push([i, j, drawn])
      points.push({
        heading: `${slot.text} · ${other.text}`,
        lines: [{ name: localName(measure, words.locale), text: textOf(scene, value, chart.measure) }],
        at: atOf(scene, [chart.across, slot], [chart.up, other]),
        measure: chart.measure,
      })
    }
  }
  const drawn = data.map(([, , value]) => value)
  const [least, most] = [Math.min(...drawn, 0), Math.max(...drawn, 0)]
  return {
    option: {
      ...base(scene, []),
      grid: {
        ...grid(false, false),
        bottom: across.length > WINDOW ? 72 : 44,
        ...(up.length > WINDOW && { right: 32 }),
      },
      xAxis: { ...categoryAxis(scene, { texts: across.map(({ text }) => text) }), splitArea: { show: false } },
      yAxis: categoryAxis(scene, { texts: up.map(({ text }) => text), down: true }),
      visualMap: {
        min: least,
        max: most || 1,
        calculable: false,
        orient: 'horizontal',
        left: 'center',
        bottom: 0,
        itemWidth: 12,
        itemHeight: 120,
        text: [tickText(measure, words)(most), tickText(measure, words)(least)],
        textStyle: label(scene),
        inRange: { color: [mix(look.accent, look.surface, 0.88), look.accent] },
      },
      // Fields of a pixel say nothing: many of them are looked at through a window.
      dataZoom: [
        ...(zoom(scene, across.length, { legend: true, all: false }).dataZoom ?? []),
        ...(zoom(scene, up.length, { down: true, legend: false, all: false }).dataZoom ?? []),
      ],
      series: [
        {
          type: 'heatmap',
          data,
          ...(data.length > 2000 && { progressive: 2000 }),
          itemStyle: { borderColor: look.surface, borderWidth: 1 },
          label: {
            show: chart.valueLabels === true,
            color: look.text,
            fontSize: 11,
            formatter: ({ dataIndex }: { dataIndex: number }) => points[dataIndex]?.lines[0]?.text ?? '',
          },
          labelLayout: { hideOverlap: true },
        },
      ],
    },
    points: [points],
  }
}
