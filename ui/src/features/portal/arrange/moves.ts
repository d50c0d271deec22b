import { type Box, COLUMNS, compacted } from '@/lib/grid-layout'

export type Boxes = ReadonlyMap<string, Box>

const meet = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** Within the grid, and not smaller than a cell. */
function within({ x, y, width, height }: Box): Box {
  const wide = Math.min(Math.max(1, width), COLUMNS)
  return { x: Math.min(Math.max(0, x), COLUMNS - wide), y: Math.max(0, y), width: wide, height: Math.max(1, height) }
}

/** Puts one box where it is wanted; others give way downwards, and everything moves up again as far as there is room. */
export function placed(boxes: Boxes, id: string, wanted: Box): Boxes {
  const own = within(wanted)
  const others = [...boxes].filter(([other]) => other !== id)
  const order = others.sort(([, a], [, b]) => a.y - b.y || a.x - b.x)
  const result: [string, Box][] = [[id, own]]
  for (const [other, box] of order) {
    let at = box
    while (result.some(([, one]) => meet(one, at))) at = { ...at, y: at.y + 1 }
    result.push([other, at])
  }
  const tight = compacted(result.map(([, box]) => box))
  const next = new Map(result.map(([one], i) => [one, tight[i] ?? own]))
  return new Map([...boxes.keys()].map((one) => [one, next.get(one) ?? own]))
}

const same = (a: Boxes, b: Boxes) =>
  [...a].every(([id, box]) => {
    const other = b.get(id)
    return other && box.x === other.x && box.y === other.y && box.width === other.width && box.height === other.height
  })

/** One step of the keyboard: to the side by a column; up and down past what is there. */
export function stepped(boxes: Boxes, id: string, dx: number, dy: number): Boxes {
  const box = boxes.get(id)
  if (!box) return boxes
  const bottom = Math.max(...[...boxes.values()].map(({ y, height }) => y + height))
  for (let by = dy; Math.abs(by) <= bottom; by += dy) {
    const next = placed(boxes, id, { ...box, x: box.x + dx, y: box.y + by })
    if (!same(next, boxes) || dy === 0) return next
  }
  return boxes
}

/** Wider, narrower, higher or lower. */
export function resized(boxes: Boxes, id: string, dw: number, dh: number): Boxes {
  const box = boxes.get(id)
  if (!box) return boxes
  const width = Math.min(box.width + dw, COLUMNS - box.x)
  return placed(boxes, id, { ...box, width, height: box.height + dh })
}
