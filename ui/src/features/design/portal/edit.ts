import { type Bag, type Path, setAt } from '../shared/json'
import type { WidgetType } from './api'
import { type Box, boxesOf, put } from './grid'
import {
  everyWidget,
  isBelow,
  isPage,
  listAt,
  mayHold,
  type Page,
  sizeOf,
  type Way,
  type Widget,
  widgetAt,
} from './page'

// Changes of a page. Each returns a new document and leaves the one that it was given as it is; widgets that are not touched stay the same objects,
// with all their keys in their order.

type Types = ReadonlyMap<string, WidgetType>

/** The page with other widgets at a way. */
function withList(page: Page, way: Way, change: (list: Widget[]) => Widget[]): Page {
  const [at, ...rest] = way
  if (at === undefined) {
    const widgets = change(page.widgets)
    return widgets === page.widgets ? page : { ...page, widgets }
  }
  const inside = (list: Widget[], place: number, left: number[]): Widget[] => {
    const one = list[place]
    if (!one) return list
    const [next, ...more] = left
    const own = one.widgets ?? []
    const widgets = next === undefined ? change(own) : inside(own, next, more)
    return widgets === own ? list : list.map((other, i) => (i === place ? { ...one, widgets } : other))
  }
  const widgets = inside(page.widgets, at, rest)
  return widgets === page.widgets ? page : { ...page, widgets }
}

/** Changes one widget. */
export function change(page: Page, way: Way, to: (widget: Widget) => Widget): Page {
  const at = way.at(-1)
  return at === undefined
    ? page
    : withList(page, way.slice(0, -1), (list) => {
        const old = list[at]
        const next = old && to(old)
        return !next || next === old ? list : list.map((one, i) => (i === at ? next : one))
      })
}

/** Sets what a path of keys of a widget leads to; undefined removes it. */
export const setWidget = (page: Page, way: Way, path: Path, value: unknown): Page =>
  change(page, way, (widget) => setAt(widget, path, value))

const BOX = ['x', 'y', 'width', 'height'] as const

/** Writes where the widgets of the page are. One that is there already is not written. */
export function place(page: Page, boxes: readonly Box[], types: Types): Page {
  const write = (of: Page, all: boolean): Page => {
    const are = boxesOf(of, types)
    const widgets = of.widgets.map((widget, i) => {
      const [is, to] = [are[i], boxes[i]]
      if (!is || !to || (!all && BOX.every((key) => is[key] === to[key]))) return widget
      const next: Widget = { ...widget }
      const said = all || is.x !== to.x || is.y !== to.y || widget.x !== undefined || widget.y !== undefined
      for (const key of said ? BOX : (['width', 'height'] as const)) {
        if (key === 'width' || key === 'height') {
          if (widget[key] === undefined && to[key] === sizeOf(widget, types)[key]) continue
        }
        next[key] = to[key]
      }
      return next
    })
    return widgets.every((one, i) => one === of.widgets[i]) ? of : { ...of, widgets }
  }
  const next = write(page, false)
  // Widgets without a place follow those before them, which have moved.
  const are = boxesOf(next, types)
  const right = are.every((is, i) => BOX.every((key) => is[key] === boxes[i]?.[key]))
  return right ? next : write(next, true)
}

/** A code that no widget of the page has. */
export function freeCode(page: Page, type: string): string {
  const taken = new Set(everyWidget(page).map(({ widget }) => String(widget.code ?? '').toLowerCase()))
  const stem = type.replace(/[^a-zA-Z0-9]/g, '').replace(/^[A-Z]+/, (start) => start.toLowerCase()) || 'widget'
  for (let n = 1; ; n++) {
    const code = `${stem}${n}`
    if (!taken.has(code.toLowerCase())) return code
  }
}

export interface Changed {
  page: Page
  way: Way
}

/** Adds a widget: into a holder at its end, or on the page at a place of the grid. */
export function add(
  page: Page,
  widget: Widget,
  to: { into: Way } | { at: { x: number; y: number } | null },
  types: Types,
): Changed {
  if ('into' in to && to.into.length > 0) {
    const at = listAt(page, to.into).length
    const { x: _x, y: _y, ...inner } = widget
    return { page: withList(page, to.into, (list) => [...list, inner as Widget]), way: [...to.into, at] }
  }
  const boxes = boxesOf(page, types)
  const size = sizeOf(widget, types)
  const end = boxes.reduce((most, box) => Math.max(most, box.y + box.height), 0)
  const wanted = 'at' in to && to.at ? to.at : { x: 0, y: end }
  const all = put([...boxes, { ...size, x: 0, y: end }], boxes.length, wanted)
  const own = all[boxes.length] ?? { ...size, ...wanted }
  const grown: Page = { ...page, widgets: [...page.widgets, { ...widget, ...own } as Widget] }
  return { page: place(grown, all, types), way: [page.widgets.length] }
}

/** Removes a widget, with what it holds. The others move up. */
export function remove(page: Page, way: Way, types: Types): Page {
  const at = way.at(-1)
  if (at === undefined || !widgetAt(page, way)) return page
  const boxes = way.length === 1 ? boxesOf(page, types) : []
  const next = withList(page, way.slice(0, -1), (list) => list.filter((_, i) => i !== at))
  if (way.length > 1) return next
  const rest = boxes.filter((_, i) => i !== at)
  // The columns stay; what was below moves up when it is drawn.
  return place(
    next,
    boxesOf(next, types).map((box, i) => ({ ...box, x: rest[i]?.x ?? box.x })),
    types,
  )
}

/** Copies a widget with codes that are free, also in what it holds. */
function copied(page: Page, widget: Widget): Widget {
  let with_ = page
  const copy = (one: Widget): Widget => {
    const next = { ...one }
    if (typeof one.code === 'string') {
      next.code = freeCode(with_, one.type)
      with_ = { ...with_, widgets: [...with_.widgets, next] }
    }
    if (one.widgets) next.widgets = one.widgets.map(copy)
    return next
  }
  return copy(structuredClone(widget))
}

/** Puts a copy of a widget below the one that is chosen, or in the same holder. */
export function paste(page: Page, widget: Widget, chosen: Way | null, types: Types): Changed {
  const copy = copied(page, widget)
  const type = types.get(widget.type)
  const one = chosen ? widgetAt(page, chosen) : undefined
  const holders: Way[] =
    chosen && one ? [...(one.widgets ? [chosen] : []), ...(chosen.length > 1 ? [chosen.slice(0, -1)] : [])] : []
  for (const into of holders) {
    const holder = widgetAt(page, into)
    if (holder && type && mayHold(types.get(holder.type), type)) return add(page, copy, { into }, types)
  }
  if (type && !mayHold(null, type)) {
    const { way: into } = everyWidget(page).find(({ widget: other }) =>
      mayHold(types.get(other.type) ?? undefined, type),
    ) ?? {
      way: null,
    }
    if (into) return add(page, copy, { into }, types)
  }
  const top = chosen?.[0]
  const box = top === undefined ? undefined : boxesOf(page, types)[top]
  return add(page, copy, { at: box ? { x: box.x, y: box.y + box.height } : null }, types)
}

/** Moves a widget among those beside it in its holder; on the page itself in the order of the document. */
export function reorder(page: Page, way: Way, by: 1 | -1): Changed {
  const at = way.at(-1) ?? 0
  const up = way.slice(0, -1)
  const list = listAt(page, up)
  const to = at + by
  if (to < 0 || to >= list.length) return { page, way }
  const next = [...list]
  next.splice(to, 0, ...next.splice(at, 1))
  return { page: withList(page, up, () => next), way: [...up, to] }
}

/** Moves a widget into another, or onto the page. */
export function moveInto(page: Page, way: Way, into: Way, types: Types): Changed {
  const widget = widgetAt(page, way)
  if (!widget || isBelow(into, way)) return { page, way }
  const { page: grown, way: to } = add(page, widget, into.length > 0 ? { into } : { at: null }, types)
  const without = remove(grown, way, types)
  // What comes after the old place is one earlier now.
  const depth = way.length - 1
  const shifted = to.map((one, i) =>
    i === depth && isBelow(to.slice(0, depth), way.slice(0, depth)) && one > (way[depth] ?? 0) ? one - 1 : one,
  )
  return { page: without, way: shifted }
}

/** A key of the document itself. */
export const setPage = (page: Page, path: Path, value: unknown): Page => setAt(page, path, value)

/** The widget as it was copied, read from text of the clipboard; null: it is none. */
export function widgetIn(text: string): Widget | null {
  try {
    const value = JSON.parse(text) as Bag
    return isPage({ widgets: [value] }) ? (value as Widget) : null
  } catch {
    return null
  }
}
