/** A column with a figure in the footer: where it lies among the scrolling ones, and what its name and figure need. */
export interface SumPlace {
  code: string
  left: number
  width: number
  need: number
}

/**
 * The figures that lie beyond the right edge of what is seen and find room before it, beside those that are seen whole;
 * in the order of their columns. Null when there is none. A column that the edge cuts is covered, so no figure is seen half.
 */
export function sumsBeyond(
  places: SumPlace[],
  { from, to }: { from: number; to: number },
): { codes: string[]; width: number } | null {
  const ends = places.map(({ left, width }) => left + width).filter((end) => end > from && end <= to)
  const room = to - Math.max(from, ...ends)
  const beyond = places.filter(({ left, width }) => left + width > to)
  const codes: string[] = []
  let width = 0
  for (const { code, need } of beyond) {
    if (width + need > room) break
    codes.push(code)
    width += need
  }
  if (codes.length === 0) return null
  const cut = Math.max(0, ...beyond.map(({ left }) => to - left))
  return { codes, width: Math.ceil(Math.min(room, Math.max(width, cut))) }
}
