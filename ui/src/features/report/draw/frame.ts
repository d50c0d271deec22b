import type { Option, Scene } from './scene'
import { MANY, WINDOW } from './scene'

/** What all charts have: no motion, the font of the page, a legend where there is more than one series. */
export function base({ look }: Scene, legend: string[], pointer?: 'line' | 'shadow'): Option {
  return {
    animation: false,
    backgroundColor: 'transparent',
    color: look.series,
    textStyle: { fontFamily: look.font, color: look.text },
    tooltip: {
      ...(pointer && { trigger: 'axis' as const, axisPointer: { type: pointer } }),
      confine: true,
      backgroundColor: look.raised,
      borderColor: look.line,
      borderWidth: 1,
      padding: [8, 12],
      textStyle: { color: look.text, fontSize: 12 },
      transitionDuration: 0,
    },
    ...(legend.length > 1 && {
      legend: {
        type: 'scroll' as const,
        bottom: 0,
        icon: 'roundRect',
        itemWidth: 10,
        itemHeight: 10,
        data: legend,
        textStyle: { color: look.secondary, fontSize: 12 },
        pageTextStyle: { color: look.secondary },
        pageIconColor: look.secondary,
        pageIconInactiveColor: look.line,
      },
    }),
  }
}

export const label = ({ look }: Scene) => ({ color: look.secondary, fontSize: 12 })

interface CategoryAxis {
  texts: string[]
  /** From top to bottom, for lying bars. */
  down?: boolean
}

const FEW = 8

export const categoryAxis = (scene: Scene, { texts, down = false }: CategoryAxis) => ({
  type: 'category' as const,
  data: texts,
  inverse: down,
  axisLine: { lineStyle: { color: scene.look.line } },
  axisTick: { show: false },
  axisLabel: {
    ...label(scene),
    hideOverlap: true,
    // A few long names stand in several lines, many of them are cut.
    ...(!down && texts.length <= FEW && texts.some((text) => text.length > 8)
      ? { interval: 0, width: 64, overflow: 'break' as const, lineHeight: 14 }
      : { width: down ? 120 : 96, overflow: 'truncate' as const }),
  },
})

export const valueAxis = (scene: Scene, tick: (value: number) => string, name?: string | null) => ({
  type: 'value' as const,
  ...(name && { name, nameTextStyle: label(scene) }),
  axisLabel: { ...label(scene), formatter: tick },
  splitLine: { lineStyle: { color: scene.look.line } },
})

/** Room for a legend and a window below. */
export const grid = (legend: boolean, zoomed: boolean, named = false) => ({
  left: 8,
  right: 16,
  top: named ? 32 : 16,
  bottom: 8 + (legend ? 28 : 0) + (zoomed ? 32 : 0),
  outerBoundsMode: 'same' as const,
  outerBoundsContain: 'axisLabel' as const,
})

/** A window over many categories. The wheel scrolls the page, and with Ctrl the window. */
export function zoom({ look }: Scene, count: number, axis: { down?: boolean; legend: boolean; all: boolean }) {
  if (count <= WINDOW) return {}
  const along = axis.down ? { yAxisIndex: 0 } : { xAxisIndex: 0 }
  const from = axis.all ? {} : { startValue: 0, endValue: WINDOW - 1 }
  const place = axis.down ? { right: 0, width: 16 } : { bottom: axis.legend ? 32 : 4, height: 18 }
  return {
    dataZoom: [
      { type: 'inside' as const, ...along, ...from, zoomOnMouseWheel: 'ctrl' as const, moveOnMouseWheel: false },
      {
        type: 'slider' as const,
        ...along,
        ...from,
        ...place,
        brushSelect: false,
        showDetail: false,
        borderColor: look.line,
        textStyle: { color: look.secondary },
      },
    ],
  }
}

/** What makes shapes of many points quick. */
export const quick = (count: number) => (count > MANY ? { large: true, largeThreshold: MANY, progressive: 2000 } : {})
