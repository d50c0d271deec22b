import type { WidgetProps } from '@sluice/sdk'

/** A part of a layout: its widgets, one below the other. */
export function LayoutPanel({ widget, page }: WidgetProps<object>) {
  return page.drawn(widget.widgets ?? [])
}
