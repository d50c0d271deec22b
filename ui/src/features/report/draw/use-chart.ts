import type { ECharts } from 'echarts/core'
import { useEffect, useRef } from 'react'
import { init } from './library'
import type { Option } from './scene'

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
