import { type Bag, isBag, numberOf } from '../shared/json'
import type { WidgetType } from './api'

// The document of a portal page as the designer holds it. What the designer does not know stays in it as it is.

export interface Widget extends Bag {
  type: string
  widgets?: Widget[]
}

export interface Page extends Bag {
  name?: string
  name_i18n?: Record<string, string>
  widgets: Widget[]
}

/** The way to a widget: its place on the page, then its places in what holds it. */
export type Way = readonly number[]

const isWidget = (value: unknown): value is Widget =>
  isBag(value) &&
  typeof value.type === 'string' &&
  (value.widgets === undefined || (Array.isArray(value.widgets) && value.widgets.every(isWidget)))

/** Whether a document can be drawn: all of its widgets have a type. */
export const isPage = (value: unknown): value is Page =>
  isBag(value) && Array.isArray(value.widgets) && value.widgets.every(isWidget)

/** The height of a widget of a type that nobody knows. */
const UNKNOWN = { width: 6, height: 27 }

const wholeOf = (value: unknown, otherwise: number) => {
  const number = numberOf(value)
  return number === undefined ? otherwise : Math.round(number)
}

/** How large a widget is, where it says so and where it doesn't. */
export function sizeOf(widget: Widget, types: ReadonlyMap<string, WidgetType>) {
  const usual = types.get(widget.type) ?? UNKNOWN
  return {
    width: Math.min(12, Math.max(1, wholeOf(widget.width, usual.width))),
    height: Math.max(1, wholeOf(widget.height, usual.height)),
  }
}

/** The place that a widget says it has; null: it follows the one before. */
export const placeOf = (widget: Widget) =>
  widget.x === undefined && widget.y === undefined
    ? null
    : { x: Math.max(0, wholeOf(widget.x, 0)), y: Math.max(0, wholeOf(widget.y, 0)) }

export const widgetAt = (page: Page, way: Way): Widget | undefined => {
  let list: Widget[] | undefined = page.widgets
  let found: Widget | undefined
  for (const at of way) {
    found = list?.[at]
    list = found?.widgets
  }
  return found
}

/** The widgets of the page, or of the widget that a way leads to. */
export const listAt = (page: Page, way: Way): Widget[] =>
  way.length === 0 ? page.widgets : (widgetAt(page, way)?.widgets ?? [])

export interface Found {
  widget: Widget
  way: Way
}

/** Every widget of a page, each before those that it holds. */
export function everyWidget(page: Page): Found[] {
  const all: Found[] = []
  const walk = (list: Widget[], way: Way) => {
    for (const [i, widget] of list.entries()) {
      const to = [...way, i]
      all.push({ widget, way: to })
      if (widget.widgets) walk(widget.widgets, to)
    }
  }
  walk(page.widgets, [])
  return all
}

/** What the server calls a widget: its code, or its place. */
export const idOf = (widget: Widget, way: Way) => (typeof widget.code === 'string' && widget.code) || way.join('.')

export const sameWay = (a: Way, b: Way) => a.length === b.length && a.every((one, i) => one === b[i])

/** Whether a way leads to a widget, or into it. */
export const isBelow = (way: Way, of: Way) => way.length >= of.length && of.every((one, i) => one === way[i])

/** Where a widget of a type may be put: on the page itself (null), or into a widget of a type. */
export function mayHold(holder: WidgetType | null | undefined, type: WidgetType | undefined): boolean {
  if (!type) return holder !== undefined
  if (!holder) return type.within === null
  if (!holder.container) return false
  if (holder.holds !== null && !holder.holds.includes(type.type)) return false
  return type.within === null || type.within.includes(holder.type)
}
