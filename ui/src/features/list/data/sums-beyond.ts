/** A column with a figure in the footer: where it lies among the scrolling ones, and what its name and figure need. */
export interface SumPlace {
  code: string
  left: number
  width: number
  /** What its name and its figure take at the edge. */
  need: number
  /** What the figure takes at the end of its own column. */
  figure: number
}

/** The figures that an edge tells, in the order of their columns, and how wide they stand there. */
export interface EdgeSums {
  codes: string[]
  width: number
}

/** The part of the scrolling columns that is seen. */
interface Sight {
  from: number
  to: number
}

/**
 * The figures that lie beyond an edge of what is seen stand at that edge as far as there is room beside those that are seen:
 * first those beyond the right one, nearest first. A column that an edge cuts is covered, so no figure is seen half.
 */
export function sumsBeyond(places: SumPlace[], seen: Sight): { left: EdgeSums | null; right: EdgeSums | null } {
  const { from, to } = seen
  const end = ({ left, width }: SumPlace) => left + width
  const beyondRight = places.filter((one) => end(one) > to)
  const beyondLeft = places.filter((one) => end(one) <= to && end(one) - from < one.figure)
  const whole = places.filter((one) => !beyondRight.includes(one) && !beyondLeft.includes(one))
  const right = fill(
    beyondRight,
    to - Math.max(from, ...whole.map(end)),
    Math.max(0, ...beyondRight.map(({ left }) => to - left)),
  )
  const limit = Math.min(to - (right?.width ?? 0), ...whole.map((one) => end(one) - one.figure))
  const left = fill(beyondLeft.toReversed(), limit - from, Math.max(0, ...beyondLeft.map((one) => end(one) - from)))
  return { left: left && { ...left, codes: left.codes.toReversed() }, right }
}

/** As many of the figures as find room, the first ones first, over a column that is cut to `cut`. */
function fill(places: SumPlace[], room: number, cut: number): EdgeSums | null {
  const codes: string[] = []
  let width = 0
  for (const { code, need } of places) {
    if (width + need > room) break
    codes.push(code)
    width += need
  }
  return codes.length === 0 ? null : { codes, width: Math.ceil(Math.min(room, Math.max(width, cut))) }
}
