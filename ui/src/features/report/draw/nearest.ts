import type { Place } from './keys'

interface Drawn {
  data?: unknown[]
  stack?: string
}

/** Where a value is along its axis, in pixels, and which group is at a place of the page. */
export interface Plane {
  groupAt: (series: number) => number
  valueAt: (series: number, value: number) => number
}

/**
 * The point that a press beside all bars and marks is meant for: the nearest one of the group under it, which the pointer lights up
 * from top to bottom. Marks of lines are a few pixels large, and short bars are less.
 */
export function nearestPoint(series: Drawn[], plane: Plane, at: number): Place | null {
  let best: (Place & { distance: number }) | null = null
  const ends = new Map<string, number>()
  series.forEach(({ data = [], stack }, place) => {
    const index = plane.groupAt(place)
    const value = data[index]
    if (typeof value !== 'number') return
    const end = value + (stack === undefined ? 0 : (ends.get(stack) ?? 0))
    if (stack !== undefined) ends.set(stack, end)
    const distance = Math.abs(plane.valueAt(place, end) - at)
    if (Number.isFinite(distance) && (!best || distance < best.distance)) best = { series: place, index, distance }
  })
  const found = best as Place | null
  return found && { series: found.series, index: found.index }
}
