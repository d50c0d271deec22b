import { type Box, COLUMNS, compacted, layoutOf, readingOrder } from '@/lib/grid-layout'
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

/** The widgets with their places, as people read them. */
export function placesOf(widgets: PortalWidget[], columns: Columns): Place[] {
  const wide = compacted(layoutOf(widgets))
  const order = readingOrder(wide)
  if (columns === 2) {
    // Two that are beside each other stay so; anything wider takes the whole line.
    const narrow = layoutOf(
      order.map((i) => ({
        width: (wide[i]?.width ?? 0) > HALF ? COLUMNS : HALF,
        height: wide[i]?.height ?? 1,
      })),
    )
    const boxes = compacted(narrow)
    return order.flatMap((i, at) => joined(widgets[i], boxes[at]))
  }
  return order.flatMap((i) => joined(widgets[i], wide[i]))
}

const joined = (widget: PortalWidget | undefined, box: Box | undefined): Place[] =>
  widget && box ? [{ widget, box }] : []

/** The widgets of a page, and those inside of others. */
export const everyWidget = (widgets: PortalWidget[]): PortalWidget[] =>
  widgets.flatMap((widget) => [widget, ...everyWidget(widget.widgets ?? [])])
