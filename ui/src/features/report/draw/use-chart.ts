import type { ECharts } from 'echarts/core'
import { useEffect, useRef } from 'react'
import { init } from './library'
import { nearestPoint } from './nearest'
import type { Option } from './scene'

interface Shape {
  series?: { data?: unknown[]; stack?: string }[]
  xAxis?: { type?: string } | { type?: string }[]
  yAxis?: { type?: string } | { type?: string }[]
}

const grouped = (axis: Shape['xAxis']) => [axis].flat()[0]?.type === 'category'

/** The point that a press on the empty plane of a chart with groups is meant for. */
function pressed(chart: ECharts, option: Option, x: number, y: number) {
  const { series = [], xAxis, yAxis } = option as Shape
  const down = grouped(yAxis)
  if (!(down || grouped(xAxis)) || !chart.containPixel('grid', [x, y])) return null
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
  const latest = useRef({ ...handlers, option })
  latest.current = { ...handlers, option }
  useEffect(() => {
    if (!box.current) return
    const drawn = init(box.current)
    chart.current = drawn
    // The library tells of presses on its shapes, and before this one. It has no point for the stroke of a line, and none for the plane.
    let told = false
    drawn.on('click', ({ seriesIndex, dataIndex }) => {
      told = true
      latest.current.onClick(seriesIndex ?? 0, dataIndex)
    })
    const plane = drawn.getZr()
    plane.on('click', ({ offsetX, offsetY }) => {
      const near = told ? null : pressed(drawn, latest.current.option, offsetX, offsetY)
      told = false
      if (near) latest.current.onClick(near.series, near.index)
    })
    plane.on('mousemove', ({ offsetX, offsetY }) => {
      if (pressed(drawn, latest.current.option, offsetX, offsetY)) plane.setCursorStyle('pointer')
    })
    // An observer tells of the size that there is already, too: thousands of shapes would be drawn twice.
    const of = box.current
    const observer = new ResizeObserver(() => {
      if (of.clientWidth !== drawn.getWidth() || of.clientHeight !== drawn.getHeight()) drawn.resize()
    })
    observer.observe(of)
    return () => {
      observer.disconnect()
      drawn.dispose()
      chart.current = null
    }
  }, [])
  useEffect(() => chart.current?.setOption(option, { notMerge: true }), [option])
  return { box, chart }
}
