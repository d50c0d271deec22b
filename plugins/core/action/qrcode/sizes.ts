/** The sizes of letters that Chinese printers have names for, in points. */
export const SIZES: [name: string, points: number][] = [
  ['初号', 42],
  ['小初', 36],
  ['一号', 26],
  ['小一', 24],
  ['二号', 22],
  ['小二', 18],
  ['三号', 16],
  ['小三', 15],
  ['四号', 14],
  ['小四', 12],
  ['五号', 10.5],
  ['小五', 9],
  ['六号', 7.5],
  ['小六', 6.5],
  ['七号', 5.5],
  ['八号', 5],
]

/** The usual side of a label in millimeters, and the limits of one. */
export const SIDE = 60
export const LEAST = 15
export const MOST = 300

/** How much of the height of a label one line of its caption has, and all of them at most. */
const LINE = 0.07
const CAPTION = 0.35
const MM_OF_POINT = 25.4 / 72
const LEADING = 1.35

/** The largest size that a caption of so many lines has room for; runtime/printing has the same rule. */
export const largest = (height: number, lines: number) =>
  (height * CAPTION) / Math.max(lines, 1) / LEADING / MM_OF_POINT

/** The sizes that a caption can have. There is always one. */
export function sizesFor(height: number, lines: number) {
  const most = largest(height, lines)
  const fitting = SIZES.filter(([, points]) => points <= most)
  return fitting.length > 0 ? fitting : SIZES.slice(-1)
}

/** The size for a label of that height: the nearest to its share, of those that there is room for. */
export function sizeFor(height: number, lines: number) {
  const wanted = (height * LINE) / MM_OF_POINT
  const off = (points: number) => Math.abs(points - wanted)
  return sizesFor(height, lines).reduce((best, [, points]) => (off(points) < off(best) ? points : best), 1000)
}

/** A side as typed: what is missing or negative is the usual one. */
export const sideOf = (typed: number | null) =>
  typed === null || typed <= 0 ? SIDE : Math.min(Math.max(typed, LEAST), MOST)
