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

interface Span {
  from: number
  to: number
}

interface Group extends Span {
  of: number[]
}

/** Boxes whose spans overlap, directly or by way of others, from the first to the last. */
function groupsOf(at: number[], spanOf: (i: number) => Span): Group[] {
  const groups: Group[] = []
  for (const i of [...at].sort((a, b) => spanOf(a).from - spanOf(b).from)) {
    const { from, to } = spanOf(i)
    const last = groups.at(-1)
    if (last && from < last.to) {
      last.of.push(i)
      last.to = Math.max(last.to, to)
    } else groups.push({ of: [i], from, to })
  }
  return groups
}

/** Parts of a row; those beside each other that are rows of their own, beside something higher, are one part. */
function rejoined(parts: Group[], rows: (i: number) => Span): (Group & { taken: number })[] {
  const result: (Group & { taken: number })[] = []
  for (let i = 0; i < parts.length; ) {
    let end = parts.length
    const some = () => parts.slice(i, end).flatMap(({ of }) => of)
    while (end > i + 1 && groupsOf(some(), rows).length === 1) end -= 1
    const own = parts.slice(i, end)
    const taken = own.reduce((sum, { from, to }) => sum + to - from, 0)
    const [first, last] = [own[0], own.at(-1)]
    if (first && last) result.push({ of: some(), from: first.from, to: last.to, taken })
    i = end
  }
  return result
}

/**
 * Boxes without gaps beside them: each row's boxes share the columns in the proportions of their widths, and what is one above the
 * other beside something higher shares the columns that are left. Heights and rows stay.
 */
export function filled(boxes: Box[], columns = COLUMNS): Box[] {
  const result = [...boxes]
  const span = (from = 0, size = 0): Span => ({ from, to: from + size })
  const rows = (i: number) => span(boxes[i]?.y, boxes[i]?.height)
  const across = (i: number) => span(boxes[i]?.x, boxes[i]?.width)
  const fill = (at: number[], x: number, width: number) => {
    for (const { of: row } of groupsOf(at, rows)) {
      const parts = rejoined(groupsOf(row, across), rows)
      const all = parts.reduce((sum, { taken }) => sum + taken, 0)
      let before = 0
      for (const { of, from, to, taken } of parts) {
        const start = Math.round((before * width) / all)
        before += taken
        const own = { x: x + start, width: Math.round((before * width) / all) - start }
        if (of.length < at.length && of.length > 1) fill(of, own.x, own.width)
        else for (const i of of) result[i] = scaled(boxes[i] as Box, { from, to }, own)
      }
    }
  }
  fill([...boxes.keys()], 0, columns)
  return result
}

/** A box of a span as it is in a room. */
function scaled(box: Box, { from, to }: Span, room: { x: number; width: number }): Box {
  const edge = (x: number) => room.x + Math.round(((x - from) * room.width) / (to - from))
  return { ...box, x: edge(box.x), width: edge(box.x + box.width) - edge(box.x) }
}
