import { type Box, COLUMNS, compacted, filled, layoutOf, readingOrder } from '@/lib/grid-layout'
import type { PortalWidget } from '@/sdk/portal'

/** Narrower than this in pixels a page is one column, or two. */
const ONE = 720
const TWO = 1000

/** Widgets that are narrower than this many columns get half of a tablet. */
const HALF = 6

export interface Place {
  widget: PortalWidget
  box: Box
}

export type Columns = 1 | 2 | 12

/** How many columns a width has room for; 0 = not measured yet, or not to be measured. */
export const columnsFor = (width: number): Columns => (width === 0 || width >= TWO ? 12 : width >= ONE ? 2 : 1)

/** The widgets with their places, as people read them. `fill`: those that are seen of a row share all of it. */
export function placesOf(widgets: PortalWidget[], columns: Columns, fill = false): Place[] {
  const layout = layoutOf(widgets)
  const wide = compacted(fill ? filled(layout) : layout)
  const order = readingOrder(wide)
  if (columns === 2) {
    const sizes = order.map((i) => ({ width: wide[i]?.width ?? COLUMNS, height: wide[i]?.height ?? 1 }))
    const narrow = layoutOf(halved(sizes))
    const boxes = compacted(narrow)
    return order.flatMap((i, at) => joined(widgets[i], boxes[at]))
  }
  return order.flatMap((i) => joined(widgets[i], wide[i]))
}

/** Two narrow ones are beside each other; a single one, and anything wider, takes the whole line. */
function halved(sizes: { width: number; height: number }[]) {
  const result: typeof sizes = []
  for (let i = 0; i < sizes.length; i++) {
    const [one, next] = [sizes[i], sizes[i + 1]]
    if (!one) continue
    const paired = next !== undefined && one.width <= HALF && next.width <= HALF
    result.push({ width: paired ? HALF : COLUMNS, height: one.height })
    if (paired) {
      result.push({ width: HALF, height: next.height })
      i += 1
    }
  }
  return result
}

const joined = (widget: PortalWidget | undefined, box: Box | undefined): Place[] =>
  widget && box ? [{ widget, box }] : []

/** The widgets of a page, and those inside of others. */
export const everyWidget = (widgets: PortalWidget[]): PortalWidget[] =>
  widgets.flatMap((widget) => [widget, ...everyWidget(widget.widgets ?? [])])
