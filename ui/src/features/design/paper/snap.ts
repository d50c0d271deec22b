import { type Box, bottom, right } from './template'

/** A line of the paper that something lies on while it is dragged. */
export interface Guide {
  axis: 'x' | 'y'
  at: number
  from: number
  to: number
}

export interface Snapped {
  dx: number
  dy: number
  guides: Guide[]
}

interface Options {
  /** The other elements of the page. */
  others: Box[]
  /** The room between the margins. */
  inner: { width: number; height: number }
  /** How near a line has to be, in millimeters. */
  near: number
  /** The grid that holds where no line is near; 0 = none. */
  grid: number
}

const linesOf = (box: Box, axis: 'x' | 'y') =>
  axis === 'x' ? [box.left, box.left + box.width / 2, right(box)] : [box.top, box.top + box.height / 2, bottom(box)]

interface Line {
  at: number
  from: number
  to: number
}

/** The lines of a page that elements can lie on: their edges and middles, and those of the room between the margins. */
function linesAround(axis: 'x' | 'y', { others, inner }: Options): Line[] {
  const across = (box: Box) => (axis === 'x' ? [box.top, bottom(box)] : [box.left, right(box)])
  const all = [{ left: 0, top: 0, ...inner }, ...others]
  return all.flatMap((box) => {
    const [from = 0, to = 0] = across(box)
    return linesOf(box, axis).map((at) => ({ at, from, to }))
  })
}

/** The shortest way from one of some places to a line; null where none is near. */
function nearest(places: number[], lines: Line[], near: number): { by: number; at: number } | null {
  let best: { by: number; at: number } | null = null
  for (const place of places)
    for (const { at } of lines) {
      const by = at - place
      if (Math.abs(by) <= near && (!best || Math.abs(by) < Math.abs(best.by) - 1e-6)) best = { by, at }
    }
  return best
}

const onGrid = (length: number, grid: number) => (grid > 0 ? Math.round(length / grid) * grid : length)

function guide(axis: 'x' | 'y', at: number, box: Box, lines: Line[]): Guide {
  const own = axis === 'x' ? [box.top, bottom(box)] : [box.left, right(box)]
  const on = lines.filter((line) => Math.abs(line.at - at) < 0.01)
  return {
    axis,
    at,
    from: Math.min(...own, ...on.map((line) => line.from)),
    to: Math.max(...own, ...on.map((line) => line.to)),
  }
}

/** Moves a box onto lines that are near, otherwise onto the grid. */
export function snapMove(box: Box, options: Options): Snapped {
  const { near, grid } = options
  const out: Snapped = { dx: 0, dy: 0, guides: [] }
  for (const axis of ['x', 'y'] as const) {
    const lines = linesAround(axis, options)
    const found = nearest(linesOf(box, axis), lines, near)
    const begin = axis === 'x' ? box.left : box.top
    const by = found ? found.by : onGrid(begin, grid) - begin
    if (axis === 'x') out.dx = by
    else out.dy = by
    if (found) out.guides.push(guide(axis, found.at, { ...box, left: box.left + out.dx, top: box.top + out.dy }, lines))
  }
  return out
}

export type Handle = 'nw' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w'
export const HANDLES: Handle[] = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w']

const LEAST = 1

/** A box with one of its handles moved: the edges that move lie on lines that are near, otherwise on the grid. */
export function snapResize(
  box: Box,
  handle: Handle,
  dx: number,
  dy: number,
  options: Options,
): { box: Box; guides: Guide[] } {
  const guides: Guide[] = []
  const moved = (axis: 'x' | 'y', edge: number): number => {
    const lines = linesAround(axis, options)
    const found = nearest([edge], lines, options.near)
    if (!found) return onGrid(edge, options.grid)
    guides.push(guide(axis, found.at, box, lines))
    return found.at
  }
  let [left, top, end, low] = [box.left, box.top, right(box), bottom(box)]
  if (handle.includes('w')) left = Math.max(0, Math.min(moved('x', left + dx), end - LEAST))
  if (handle.includes('e')) end = Math.max(moved('x', end + dx), left + LEAST)
  if (handle.includes('n')) top = Math.max(0, Math.min(moved('y', top + dy), low - LEAST))
  if (handle.includes('s')) low = Math.max(moved('y', low + dy), top + LEAST)
  return { box: { left, top, width: end - left, height: low - top }, guides }
}

/** The marks of a ruler, in millimeters from its zero: every one, those that are longer, and those with a number. */
export function ticksOf(from: number, to: number, pixels: number): { at: number; size: 1 | 2 | 3 }[] {
  const step = [1, 2, 5, 10].find((one) => one * pixels >= 4) ?? 10
  const numbered = [10, 20, 50, 100].find((one) => one * pixels >= 28) ?? 100
  const out: { at: number; size: 1 | 2 | 3 }[] = []
  for (let at = Math.ceil(from / step) * step; at <= to; at += step)
    out.push({ at, size: at % numbered === 0 ? 3 : at % 5 === 0 && step < 5 ? 2 : 1 })
  return out
}
