import { type Bag, numberOf, type Path, setAt } from '../shared/json'
import { around, type Box, bottom, boxOf, type Element, isTable, type Page, right, type Template } from './template'

// Changes of a template. Each returns a new document and leaves the one that it was given as it is; elements that are not touched stay the same
// objects, with all their keys in their order.

/** Some elements of a page, by their places in it. */
export interface Chosen {
  page: number
  at: number[]
}

export interface Changed {
  template: Template
  chosen: Chosen
}

/** Lengths are kept in hundredths of a millimeter. */
export const round = (length: number) => Math.round(length * 100) / 100

/** The least width and height of what is drawn. */
const LEAST = 1

const onPage = (template: Template, page: number, change: (elements: Element[]) => Element[]): Template => {
  const of = template.pages[page]
  if (!of) return template
  const elements = change(of.elements)
  if (
    elements === of.elements ||
    (elements.length === of.elements.length && elements.every((one, i) => one === of.elements[i]))
  )
    return template
  return { ...template, pages: template.pages.map((one, i) => (i === page ? { ...one, elements } : one)) }
}

const some = (template: Template, { page, at }: Chosen, change: (element: Element, i: number) => Element): Template => {
  const chosen = new Set(at)
  return onPage(template, page, (elements) => elements.map((one, i) => (chosen.has(i) ? change(one, i) : one)))
}

export const elementsOf = (template: Template, { page, at }: Chosen): Element[] =>
  at.flatMap((i) => template.pages[page]?.elements[i] ?? [])

/** Gives an element another place or size; a key that says the same already is not written. */
export function place(element: Element, to: Partial<Box>): Element {
  const is = boxOf(element)
  const next = { ...element } as Element
  let changed = false
  const set = (key: string, value: number | undefined, old: number) => {
    if (value === undefined || round(value) === round(old)) return
    next[key] = round(value)
    changed = true
  }
  set('left', to.left, is.left)
  set('top', to.top, is.top)
  set('widthValue', to.width, is.width)
  set('heightValue', to.height, is.height)
  if (!changed) return element
  if (to.width !== undefined && isTable(element)) return scaled(next, is.width, round(to.width))
  return next
}

/** The widths of a table's columns follow the table. */
function scaled(element: Element, from: number, to: number): Element {
  if (!Array.isArray(element.columns) || from === to || from <= 0) return element
  return {
    ...element,
    columns: element.columns.map((one: unknown) => {
      const width = numberOf((one as Bag | null)?.widthValue)
      return width === undefined ? one : { ...(one as Bag), widthValue: Math.floor((width * to * 100) / from) / 100 }
    }),
  }
}

/** Moves elements as far as the margins at the left and the top let them. */
export function move(template: Template, chosen: Chosen, dx: number, dy: number): Template {
  const boxes = elementsOf(template, chosen).map(boxOf)
  if (boxes.length === 0) return template
  const all = around(boxes)
  const [x, y] = [Math.max(dx, -all.left), Math.max(dy, -all.top)]
  return some(template, chosen, (one) => {
    const box = boxOf(one)
    return place(one, { left: box.left + x, top: box.top + y })
  })
}

const thin = (element: Element, key: 'width' | 'height') => element.eleType === 'line' && boxOf(element)[key] === 0

/** Brings elements from the box around them into another: each keeps its share of it. */
export function resize(template: Template, chosen: Chosen, to: Box): Template {
  const boxes = elementsOf(template, chosen).map(boxOf)
  if (boxes.length === 0) return template
  const from = around(boxes)
  const [wide, high] = [from.width > 0 ? to.width / from.width : 1, from.height > 0 ? to.height / from.height : 1]
  return some(template, chosen, (one) => {
    const box = boxOf(one)
    const next: Box = {
      left: Math.max(0, to.left + (box.left - from.left) * wide),
      top: Math.max(0, to.top + (box.top - from.top) * high),
      width: thin(one, 'width') ? 0 : Math.max(LEAST, box.width * wide),
      height: thin(one, 'height') ? 0 : Math.max(LEAST, box.height * high),
    }
    const same = Math.abs(next.height - box.height) < 0.005
    return place(one, same ? { left: next.left, top: next.top, width: next.width } : next)
  })
}

/** Makes elements wider and higher by some length. */
export function grow(template: Template, chosen: Chosen, wider: number, higher: number): Template {
  return some(template, chosen, (one) => {
    const box = boxOf(one)
    const to: Partial<Box> = {}
    if (wider && !thin(one, 'width')) to.width = Math.max(LEAST, box.width + wider)
    if (higher && !thin(one, 'height')) to.height = Math.max(LEAST, box.height + higher)
    return place(one, to)
  })
}

export type Alignment = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom'

/** Aligns elements with each other; one alone with the margins, between which there is `inner`. */
export function align(
  template: Template,
  chosen: Chosen,
  how: Alignment,
  inner: { width: number; height: number },
): Template {
  const boxes = elementsOf(template, chosen).map(boxOf)
  const to = boxes.length > 1 ? around(boxes) : { left: 0, top: 0, ...inner }
  return some(template, chosen, (one) => {
    const box = boxOf(one)
    switch (how) {
      case 'left':
        return place(one, { left: to.left })
      case 'center':
        return place(one, { left: Math.max(0, to.left + (to.width - box.width) / 2) })
      case 'right':
        return place(one, { left: Math.max(0, right(to) - box.width) })
      case 'top':
        return place(one, { top: to.top })
      case 'middle':
        return place(one, { top: Math.max(0, to.top + (to.height - box.height) / 2) })
      case 'bottom':
        return place(one, { top: Math.max(0, bottom(to) - box.height) })
    }
  })
}

/** Gives at least three elements equal gaps; the outermost stay. */
export function distribute(template: Template, chosen: Chosen, axis: 'x' | 'y'): Template {
  if (chosen.at.length < 3) return template
  const [begin, size] = axis === 'x' ? (['left', 'width'] as const) : (['top', 'height'] as const)
  const elements = template.pages[chosen.page]?.elements ?? []
  const sorted = chosen.at
    .flatMap((i) => (elements[i] ? [{ i, box: boxOf(elements[i]) }] : []))
    .sort((a, b) => a.box[begin] - b.box[begin] || a.i - b.i)
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (!first || !last) return template
  const room = last.box[begin] + last.box[size] - first.box[begin]
  const gap = (room - sorted.reduce((sum, { box }) => sum + box[size], 0)) / (sorted.length - 1)
  const to = new Map<number, number>()
  let next = first.box[begin]
  for (const { i, box } of sorted) {
    to.set(i, Math.max(0, next))
    next += box[size] + gap
  }
  return some(template, chosen, (one, i) => place(one, { [begin]: to.get(i) }))
}

/** Gives elements the width or height of the one that was chosen first. */
export function sameSize(template: Template, chosen: Chosen, key: 'width' | 'height'): Template {
  const [first] = elementsOf(template, chosen)
  if (!first) return template
  const size = boxOf(first)[key]
  return some(template, chosen, (one) => (thin(one, key) ? one : place(one, { [key]: size })))
}

export type Order = 'front' | 'back' | 'forward' | 'backward'

/** Elements that come later are drawn over earlier ones. */
export function reorder(template: Template, chosen: Chosen, how: Order): Changed {
  const picked = new Set(chosen.at)
  let at = chosen.at
  const next = onPage(template, chosen.page, (elements) => {
    let list = elements.map((element, i) => ({ element, i }))
    const mine = list.filter(({ i }) => picked.has(i))
    const others = list.filter(({ i }) => !picked.has(i))
    if (how === 'front') list = [...others, ...mine]
    else if (how === 'back') list = [...mine, ...others]
    else {
      const step = how === 'forward' ? 1 : -1
      const from = step > 0 ? list.length - 1 : 0
      for (let n = from; n >= 0 && n < list.length; n -= step) {
        const [one, beside] = [list[n], list[n + step]]
        if (one && beside && picked.has(one.i) && !picked.has(beside.i)) {
          list[n] = beside
          list[n + step] = one
        }
      }
    }
    at = chosen.at.map((i) => list.findIndex((one) => one.i === i))
    return list.map(({ element }) => element)
  })
  return { template: next, chosen: { ...chosen, at: next === template ? chosen.at : at } }
}

export function remove(template: Template, { page, at }: Chosen): Template {
  const gone = new Set(at)
  return onPage(template, page, (elements) => elements.filter((_, i) => !gone.has(i)))
}

/** Adds elements over those of a page. */
export function add(template: Template, page: number, elements: Element[]): Changed {
  const before = template.pages[page]?.elements.length ?? 0
  return {
    template: onPage(template, page, (old) => [...old, ...elements]),
    chosen: { page, at: elements.map((_, i) => before + i) },
  }
}

/** How far copies lie from what they are copies of. */
const ASIDE = 5

const samePlace = (a: Box, b: Box) => Math.abs(a.left - b.left) < 0.1 && Math.abs(a.top - b.top) < 0.1

/** Puts copies of elements on a page, beside what lies where they came from. */
export function paste(template: Template, page: number, clip: Element[]): Changed {
  const there = (template.pages[page]?.elements ?? []).map(boxOf)
  let aside = 0
  const taken = (by: number) =>
    clip.some((one) => {
      const box = boxOf(one)
      return there.some((other) => samePlace(other, { ...box, left: box.left + by, top: box.top + by }))
    })
  while (taken(aside)) aside += ASIDE
  const copies = clip.map((one) => {
    const box = boxOf(one)
    return place(structuredClone(one), { left: box.left + aside, top: box.top + aside })
  })
  return add(template, page, copies)
}

export const duplicate = (template: Template, chosen: Chosen): Changed =>
  paste(template, chosen.page, inOrder(template, chosen))

/** The elements as they are drawn, whatever the order in which they were chosen. */
export const inOrder = (template: Template, chosen: Chosen): Element[] =>
  elementsOf(template, { ...chosen, at: [...chosen.at].sort((a, b) => a - b) })

const GAP = 2

/** Where the next element of a width goes: below all that is on the page. */
export function freePlace(template: Template, page: number, width: number, inner: number): Pick<Box, 'left' | 'top'> {
  const boxes = (template.pages[page]?.elements ?? []).map(boxOf)
  const last = boxes.at(-1)
  if (last && round(right(last) + width) <= inner && last.top >= Math.max(...boxes.map((box) => box.top))) {
    const beside: Box = { left: round(right(last)), top: last.top, width, height: last.height }
    if (!boxes.some((box) => overlap(box, beside))) return beside
  }
  if (boxes.length === 0) return { left: 0, top: 0 }
  return { left: 0, top: round(Math.max(...boxes.map(bottom)) + GAP) }
}

const overlap = (a: Box, b: Box) =>
  a.left < right(b) - 0.01 && b.left < right(a) - 0.01 && a.top < bottom(b) - 0.01 && b.top < bottom(a) - 0.01

/** Sets what a path of keys of elements leads to; undefined removes it. */
export const setElements = (template: Template, chosen: Chosen, path: Path, value: unknown): Template =>
  some(template, chosen, (one) => setAt(one, path, value))

/** Sets a key of the document itself. */
export const setTemplate = (template: Template, path: Path, value: unknown): Template => setAt(template, path, value)

// Pages.

export function addPage(template: Template, behind: number, page: Page = { elements: [] }): Template {
  return { ...template, pages: [...template.pages.slice(0, behind + 1), page, ...template.pages.slice(behind + 1)] }
}

export const copyPage = (template: Template, at: number): Template => {
  const page = template.pages[at]
  return page ? addPage(template, at, structuredClone(page)) : template
}

/** Removes a page; the last one stays. */
export const removePage = (template: Template, at: number): Template =>
  template.pages.length > 1 ? { ...template, pages: template.pages.filter((_, i) => i !== at) } : template

export function movePage(template: Template, at: number, by: 1 | -1): Template {
  const [one, other] = [template.pages[at], template.pages[at + by]]
  if (!one || !other) return template
  const pages = [...template.pages]
  pages[at] = other
  pages[at + by] = one
  return { ...template, pages }
}

/** Elements within a box, and those that it touches. */
export const within = (template: Template, page: number, box: Box): number[] =>
  (template.pages[page]?.elements ?? []).flatMap((one, i) => {
    const is = boxOf(one)
    return is.left <= right(box) && box.left <= right(is) && is.top <= bottom(box) && box.top <= bottom(is) ? [i] : []
  })

/** What of a choice is still there. */
export const still = (template: Template, { page, at }: Chosen): Chosen => {
  const count = template.pages[page]?.elements.length
  return count === undefined ? { page: 0, at: [] } : { page, at: at.filter((i) => i < count) }
}
