import { useMemo, useRef } from 'react'
import type { DrawnPage, DrawnWidget, PortalCheck } from './api'
import { idOf, type Page, type Way, type Widget, widgetAt } from './page'

function indexed(widgets: readonly DrawnWidget[], into = new Map<string, DrawnWidget>()) {
  for (const widget of widgets) {
    into.set(widget.id, widget)
    if (widget.widgets) indexed(widget.widgets, into)
  }
  return into
}

/**
 * What the widgets of the page are drawn with: the last page that the server could make of a draft. A widget that was changed since is drawn as
 * it was, until the next answer.
 */
export function useDrawn(check: PortalCheck | null, checked: Page | null, now: Page) {
  const last = useRef<{ page: DrawnPage; of: Page } | null>(null)
  if (check?.page && checked && last.current?.page !== check.page) last.current = { page: check.page, of: checked }
  const shown = last.current
  const drawn = useMemo(() => {
    const map = new Map<Widget, DrawnWidget>()
    if (!shown) return map
    const by = indexed(shown.page.widgets)
    for (const [i, widget] of shown.of.widgets.entries()) {
      const found = by.get(idOf(widget, [i]))
      if (found?.type === widget.type) map.set(widget, found)
    }
    // Those that are other objects by now are known by their codes, or by their places.
    for (const [i, widget] of now.widgets.entries()) {
      if (map.has(widget)) continue
      const way: Way = [i]
      const code = typeof widget.code === 'string' ? by.get(widget.code) : undefined
      const old =
        widget.code === undefined && widgetAt(shown.of, way)?.type === widget.type ? by.get(String(i)) : undefined
      const found = code ?? old
      if (found && found.type === widget.type) map.set(widget, found)
    }
    return map
  }, [shown, now])
  return { page: shown?.page ?? null, drawn }
}
