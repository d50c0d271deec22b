import type { ECharts } from 'echarts/core'
import { useEffect, useRef } from 'react'
import { init } from './library'
import { nearestPoint } from './nearest'
import type { Option } from './scene'

interface Shape {
  series?: { data?: unknown[]; stack?: string }[]
  xAxis?: { type?: string }[]
  yAxis?: { type?: string }[]
}

/** The point that a press on the empty plane of a chart with groups is meant for. */
function pressed(chart: ECharts, x: number, y: number) {
  const { series = [], xAxis = [], yAxis = [] } = chart.getOption() as Shape
  const down = yAxis[0]?.type === 'category'
  if (!(down || xAxis[0]?.type === 'category') || !chart.containPixel('grid', [x, y])) return null
  const [group, value] = down ? [1, 0] : [0, 1]
  const plane = {
    groupAt: (seriesIndex: number) => Math.round(chart.convertFromPixel({ seriesIndex }, [x, y])[group] ?? -1),
    valueAt: (seriesIndex: number, end: number) =>
      chart.convertToPixel({ seriesIndex }, down ? [end, 0] : [0, end])[value] ?? Number.NaN,
  }
  return nearestPoint(series, plane, down ? x : y)
}

/** Draws into an element, as large as it is. `onDraw` gets what was drawn, and null when it is gone. */
export function useChart(option: Option, handlers: { onClick: (series: number, index: number) => void }) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts | null>(null)
  const latest = useRef(handlers)
  latest.current = handlers
  useEffect(() => {
    if (!box.current) return
    const drawn = init(box.current)
    chart.current = drawn
    drawn.on('click', ({ seriesIndex, dataIndex }) => latest.current.onClick(seriesIndex ?? 0, dataIndex))
    drawn.getZr().on('click', ({ target, offsetX, offsetY }) => {
      const near = target ? null : pressed(drawn, offsetX, offsetY)
      if (near) latest.current.onClick(near.series, near.index)
    })
    const observer = new ResizeObserver(() => drawn.resize())
    observer.observe(box.current)
    return () => {
      observer.disconnect()
      drawn.dispose()
      chart.current = null
    }
  }, [])
  useEffect(() => chart.current?.setOption(option, { notMerge: true }), [option])
  return { box, chart }
}
