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

/** The usual side of a label in millimeters, and the largest. */
export const SIDE = 60
export const MOST = 300

/** A4 sheets of labels by columns, rows and the size of a label; runtime/printing has the same and their edges. */
export const STOCKS: [name: string, columns: number, rows: number, width: number, height: number][] = [
  ['2x4', 2, 4, 99.1, 67.7],
  ['2x5', 2, 5, 99.1, 57],
  ['2x7', 2, 7, 99.1, 38.1],
  ['3x7', 3, 7, 63.5, 38.1],
  ['3x8', 3, 8, 64, 33.9],
  ['3x8-70', 3, 8, 70, 37],
  ['4x10', 4, 10, 48.5, 25.4],
  ['4x12', 4, 12, 45.7, 21.2],
  ['5x13', 5, 13, 38.1, 21.2],
]

/** Letters on sheets have at least so many points. */
export const SHEET_LEAST = 12

/** How much of the height of a label one line of its caption has, and all of them at most. */
const LINE = 0.07
const CAPTION = 0.35
const MM_OF_POINT = 25.4 / 72
const LEADING = 1.35

/** The largest size that a caption of so many lines has room for; runtime/printing has the same rule. */
export const largest = (height: number, lines: number) =>
  (height * CAPTION) / Math.max(lines, 1) / LEADING / MM_OF_POINT

/** The sizes that a caption can have. There is always one. */
export function sizesFor(height: number, lines: number, sheet = false) {
  const least = sheet ? SHEET_LEAST : (SIZES.at(-1)?.[1] ?? 0)
  const most = Math.max(largest(height, lines), least)
  return SIZES.filter(([, points]) => points <= most && points >= least)
}

/** The size for a label of that height: the nearest to its share, of those that there is room for. */
export function sizeFor(height: number, lines: number, sheet = false) {
  const wanted = (height * LINE) / MM_OF_POINT
  const off = (points: number) => Math.abs(points - wanted)
  return sizesFor(height, lines, sheet).reduce((best, [, points]) => (off(points) < off(best) ? points : best), 1000)
}

/** A side as typed: what is missing is the usual one, and what is negative is 0. */
export const sideOf = (typed: number | null) => (typed === null ? SIDE : Math.min(Math.max(typed, 0), MOST))
