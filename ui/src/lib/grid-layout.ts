/** What a document says about a place on the grid; missing parts follow. */
export interface Placed {
  x?: number
  y?: number
  width?: number
  height?: number
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export const COLUMNS = 12
const SIZE = 6

const meet = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** The next place that is free, from left to right and down. */
function freeAfter(box: Box, taken: Box[]): Box {
  let at = box
  while (taken.some((one) => meet(at, one))) {
    const x = at.x + 1
    at = x + at.width > COLUMNS ? { ...at, x: 0, y: at.y + 1 } : { ...at, x }
  }
  return at
}

/**
 * Where things are on the grid: where their document puts them, else after the one before. Those that would cover another
 * move on to where there is room.
 */
export function layoutOf(items: Placed[]): Box[] {
  const fixed = items.map(({ x, y, width = SIZE, height = SIZE }): Box | null => {
    if (x === undefined && y === undefined) return null
    const wide = Math.min(width, COLUMNS)
    return { x: Math.min(x ?? 0, COLUMNS - wide), y: y ?? 0, width: wide, height }
  })
  const boxes: Box[] = []
  let cursor = { x: 0, y: 0 }
  for (const [i, { width = SIZE, height = SIZE }] of items.entries()) {
    const wide = Math.min(width, COLUMNS)
    const others = [...boxes, ...fixed.slice(i + 1).flatMap((one) => one ?? [])]
    const wanted = fixed[i]
    const start = cursor.x + wide > COLUMNS ? { x: 0, y: cursor.y } : cursor
    const box = wanted ? freeAfter(wanted, boxes) : freeAfter({ ...start, width: wide, height }, others)
    boxes.push(box)
    cursor = { x: box.x + box.width, y: box.y }
  }
  return boxes
}

/** Indices as people read the boxes: from top to bottom, then from left to right. */
export const readingOrder = (boxes: Box[]): number[] =>
  boxes
    .map((box, i) => ({ box, i }))
    .sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x || a.i - b.i)
    .map(({ i }) => i)

/** On tablets they take half of the page or all of it. */
export const tabletLayout = (items: Placed[]): Box[] =>
  layoutOf(items.map(({ x: _, y: __, ...item }) => ({ ...item, width: (item.width ?? SIZE) > SIZE ? COLUMNS : SIZE })))

/** Moves everything up as far as there is room: what is not there leaves no hole. Places keep their order and columns. */
export function compacted(boxes: Box[]): Box[] {
  const result = [...boxes]
  const placed: Box[] = []
  for (const i of readingOrder(boxes)) {
    const box = boxes[i]
    if (!box) continue
    let at = box
    while (at.y > 0 && !placed.some((one) => meet({ ...at, y: at.y - 1 }, one))) at = { ...at, y: at.y - 1 }
    while (placed.some((one) => meet(at, one))) at = { ...at, y: at.y + 1 }
    placed.push(at)
    result[i] = at
  }
  return result
}
