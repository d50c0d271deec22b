/** CSS pixels of a millimeter at 100 %. */
export const PIXELS = 96 / 25.4

export type Zoom = 'fit' | number

/** In percent. */
export const ZOOMS = [50, 75, 100, 125, 150, 200]

/** The next step up or down from how large the paper is now. */
export function stepOf(percent: number, by: 1 | -1): number {
  const further = by > 0 ? ZOOMS.find((zoom) => zoom > percent + 0.5) : ZOOMS.findLast((zoom) => zoom < percent - 0.5)
  return further ?? (by > 0 ? Math.max(...ZOOMS) : Math.min(...ZOOMS))
}
