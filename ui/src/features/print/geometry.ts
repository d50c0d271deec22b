import type { PrintPage } from '@/sdk/paper/marks'

export interface Place {
  top: number
  height: number
  width: number
}

/** Where sheets lie below each other, in pixels. */
export function placesOf(pages: PrintPage[], scale: number, { edge, gap }: { edge: number; gap: number }): Place[] {
  let top = edge
  return pages.map((page) => {
    const place = { top, width: page.width * scale, height: page.height * scale }
    top += place.height + gap
    return place
  })
}

/** The sheet that is looked at: the first whose lower half, or of a high one whose part below a third of the view, is in view. */
export function currentOf(places: Place[], scrolled: number, view: number): number {
  const at = places.findIndex(({ height }, i) => {
    const next = places[i + 1]
    return !next || next.top > scrolled + Math.min(view / 3, height / 2)
  })
  return Math.max(at, 0)
}

/** Up to this many sheets are drawn whole. */
export const DRAWN = 20

/** The sheets to draw, from and to: of many only those within a view of what is seen. */
export function drawnOf(places: Place[], scrolled: number, view: number): [number, number] {
  if (places.length <= DRAWN) return [0, places.length]
  const near = ({ top, height }: Place) => top + height > scrolled - view && top < scrolled + 2 * view
  return [places.findIndex(near), places.findLastIndex(near) + 1]
}
