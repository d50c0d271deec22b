/** Milliseconds in which bars and rows move to their new positions. */
export const SLIDE = 150

interface Box {
  left: number
  top: number
  width: number
}

export type Places = Map<string, Box>

/** Bars and rows of the table; each is drawn again when something changes. */
const MOVING = '.gantt_task_line[data-task-id], .gantt_grid_data .gantt_row[data-task-id]'

const keyOf = (node: HTMLElement) =>
  `${node.classList.contains('gantt_row') ? 'row' : 'bar'} ${node.getAttribute('data-task-id')}`

const isStill = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** Current positions of bars and rows; empty when the user prefers reduced motion. */
export function placesOf(root: HTMLElement): Places {
  const places: Places = new Map()
  if (isStill()) return places
  for (const node of root.querySelectorAll<HTMLElement>(MOVING)) {
    const { left, top, width } = node.getBoundingClientRect()
    places.set(keyOf(node), { left, top, width })
  }
  return places
}

/** Keyframes from the old box to the new one; null when nothing moved. */
export function wayFrom(before: Box, now: Box, bar: boolean): Keyframe[] | null {
  const [x, y] = [before.left - now.left, bar ? 0 : before.top - now.top]
  const wider = bar && Math.abs(before.width - now.width) >= 1
  if (Math.abs(x) < 1 && Math.abs(y) < 1 && !wider) return null
  const from = { transform: `translate(${x}px, ${y}px)` }
  const to = { transform: 'none' }
  return wider
    ? [
        { ...from, width: `${before.width}px` },
        { ...to, width: `${now.width}px` },
      ]
    : [from, to]
}

/** Lets bars and rows slide from where they stood. */
export function slideFrom(root: HTMLElement, before: Places) {
  if (before.size === 0) return
  for (const node of root.querySelectorAll<HTMLElement>(MOVING)) {
    const key = keyOf(node)
    const stood = before.get(key)
    const way = stood && wayFrom(stood, node.getBoundingClientRect(), key.startsWith('bar'))
    if (way) node.animate(way, { duration: SLIDE, easing: 'ease-out' })
  }
}
