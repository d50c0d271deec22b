import type { WidgetType } from './api'
import { type Page, placeOf, sizeOf } from './page'

// The grid of a page: 12 columns, rows of 12 pixels; a widget leaves 16 pixels free at its bottom. Nothing floats: what has room above it moves up.

export const COLUMNS = 12
export const ROW = 12
export const GAP = 16

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

const meet = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

const bottom = (box: Box) => box.y + box.height

const beside = (a: Box, b: Box) => a.x < b.x + b.width && b.x < a.x + a.width

/** Places of boxes as people read them: from top to bottom, then from left to right. */
export const readingOrder = (boxes: readonly Box[]): number[] =>
  boxes
    .map((box, i) => ({ box, i }))
    .sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x || a.i - b.i)
    .map(({ i }) => i)

/** Moves everything up as far as there is room. `first` keeps its place before others that want the same. */
export function compacted(boxes: readonly Box[], first = -1): Box[] {
  const order = readingOrder(boxes).sort((a, b) => {
    const [one, other] = [boxes[a], boxes[b]]
    if (!one || !other || one.y !== other.y) return 0
    return Number(b === first) - Number(a === first)
  })
  const result = [...boxes]
  const placed: Box[] = []
  for (const i of order) {
    const box = boxes[i]
    if (!box) continue
    const y = placed.reduce((least, one) => (beside(one, box) ? Math.max(least, bottom(one)) : least), 0)
    const at = { ...box, y }
    placed.push(at)
    result[i] = at
  }
  return result
}

/** The next place that is free, from left to right and down. */
function freeAfter(start: Box, taken: Box[]): Box {
  let at = start
  while (taken.some((one) => meet(at, one))) {
    const x = at.x + 1
    at = x + at.width > COLUMNS ? { ...at, x: 0, y: at.y + 1 } : { ...at, x }
  }
  return at
}

/** Where the widgets of a page are: where the document puts them, else after the one before. */
export function boxesOf(page: Page, types: ReadonlyMap<string, WidgetType>): Box[] {
  const sizes = page.widgets.map((widget) => sizeOf(widget, types))
  const fixed = page.widgets.map((widget, i): Box | null => {
    const place = placeOf(widget)
    const size = sizes[i]
    return place && size ? { ...size, x: Math.min(place.x, COLUMNS - size.width), y: place.y } : null
  })
  if (fixed.every((one) => one !== null)) return compacted(fixed)
  const boxes: Box[] = []
  let cursor = { x: 0, y: 0 }
  for (const [i, size] of sizes.entries()) {
    const wanted = fixed[i]
    const start = cursor.x + size.width > COLUMNS ? { x: 0, y: cursor.y } : cursor
    const later = fixed.slice(i + 1).flatMap((one) => one ?? [])
    const box = wanted ? freeAfter(wanted, boxes) : freeAfter({ ...start, ...size }, [...boxes, ...later])
    boxes.push(box)
    cursor = { x: box.x + box.width, y: box.y }
  }
  return compacted(boxes)
}

/** The boxes with one of them elsewhere, or of another size: what it covers makes way downward. */
export function put(boxes: readonly Box[], at: number, to: Partial<Box>): Box[] {
  const old = boxes[at]
  if (!old) return [...boxes]
  const width = Math.min(COLUMNS, Math.max(1, to.width ?? old.width))
  const box: Box = {
    width,
    height: Math.min(1000, Math.max(1, to.height ?? old.height)),
    x: Math.min(COLUMNS - width, Math.max(0, to.x ?? old.x)),
    y: Math.max(0, to.y ?? old.y),
  }
  const next = boxes.map((one, i) => (i === at ? box : one))
  const placed: Box[] = [box]
  for (const i of readingOrder(next)) {
    const one = next[i]
    if (i === at || !one) continue
    let moved = one
    for (;;) {
      const over = placed.find((other) => meet(moved, other))
      if (!over) break
      moved = { ...moved, y: bottom(over) }
    }
    placed.push(moved)
    next[i] = moved
  }
  return compacted(next, at)
}

/** One step by a key: a column to the side, or past the next widget above or below. */
export function stepped(boxes: readonly Box[], at: number, dx: number, dy: number): Box[] {
  const own = boxes[at]
  if (!own) return [...boxes]
  if (dy === 0) return put(boxes, at, { x: own.x + dx })
  const rest = compacted(boxes.filter((_, i) => i !== at))
  const places = [...new Set([0, ...rest.filter((one) => beside(one, own)).map(bottom)])].sort((a, b) => a - b)
  const y = dy > 0 ? places.find((one) => one > own.y) : places.filter((one) => one < own.y).at(-1)
  if (y === undefined) return [...boxes]
  const next = boxes.map((box, i) => (i === at ? { ...own, y } : (rest[i < at ? i : i - 1] ?? box)))
  return put(next, at, { y })
}

/** Where a widget goes that nobody places: below all that is there. */
export const free = (boxes: readonly Box[]): { x: number; y: number } => ({
  x: 0,
  y: boxes.reduce((most, box) => Math.max(most, bottom(box)), 0),
})

/** Where a widget goes that is dropped at a point: above the one that is there, or below it in its lower half. */
export function droppedAt(
  boxes: readonly Box[],
  at: { x: number; y: number },
  width: number,
): { x: number; y: number } {
  const x = Math.min(COLUMNS - width, Math.max(0, Math.round(at.x - width / 2)))
  const under = boxes.find(
    (box) => at.x >= box.x && at.x < box.x + box.width && at.y >= box.y && at.y < box.y + box.height,
  )
  if (!under) return { x, y: Math.max(0, Math.round(at.y)) }
  return { x, y: at.y < under.y + under.height / 2 ? under.y : bottom(under) }
}
