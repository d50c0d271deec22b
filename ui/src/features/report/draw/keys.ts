import type { Point } from './scene'

export interface Place {
  series: number
  index: number
}

const ARROWS: Record<string, readonly [series: number, index: number]> = {
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
}

/** Where an arrow key leads from a point: left and right within a series, up and down between series; null = nowhere. */
export function placeAfter(key: string, from: Place | null, points: (Point | null)[][]): Place | null {
  const step = ARROWS[key]
  const [series, last] = [points.findIndex((of) => of.some(Boolean)), Math.max(...points.map((of) => of.length), 0) - 1]
  if (series < 0 || (!step && key !== 'Home' && key !== 'End')) return null
  const along = (at: Place, [down, right]: readonly [number, number]): Place | null => {
    for (let { series: s, index: i } = at; points[s] && i >= 0 && i <= last; s += down, i += right)
      if (points[s]?.[i]) return { series: s, index: i }
    return null
  }
  if (key === 'End') return along({ series: from?.series ?? series, index: last }, [0, -1])
  if (!from || !step) return along({ series: from?.series ?? series, index: 0 }, [0, 1])
  return along({ series: from.series + step[0], index: from.index + step[1] }, step) ?? from
}
