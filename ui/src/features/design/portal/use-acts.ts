import { useRef, useState } from 'react'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import type { Bag, Path } from '../shared/json'
import type { WidgetType } from './api'
import { add, type Changed, moveInto, paste, place, remove, reorder, setPage, setWidget } from './edit'
import { type Box, put, stepped } from './grid'
import { mayHold, type Page, type Way, type Widget, widgetAt } from './page'
import { newWidget } from './start'
import type { PortalWords } from './words'

/** What was copied last, also on another page: in this tab, and for others in the store of the browser. */
const CLIP = 'portal-design-clip'

function clip(): Widget | null {
  try {
    const value = JSON.parse(localStorage.getItem(CLIP) ?? 'null') as Widget | null
    return value && typeof value.type === 'string' ? value : null
  } catch {
    return null
  }
}

const nodeAt = (way: Way | null) =>
  way ? document.querySelector<HTMLElement>(`[data-sheet] [data-way="${way[0]}"]`) : null

interface Options {
  now: Page
  set: (next: Page, of?: string | null) => void
  boxes: readonly Box[]
  types: ReadonlyMap<string, WidgetType>
  words: PortalWords
  portalCode: string
  root: Bag
  readOnly: boolean
}

/** What is done to the page: which widget is chosen, and how widgets come, go, move and change. */
export function useActs({ now, set, boxes, types, words, portalCode, root, readOnly }: Options) {
  const t = useText()
  const say = useFeedback()
  const [chosen, choose] = useState<Way | null>(null)
  const focus = useRef<number | null>(null)
  const widget = chosen ? widgetAt(now, chosen) : undefined
  const top = chosen?.length === 1 ? (chosen[0] ?? -1) : -1

  /** What changes nothing is not a step. `of` names what is changed: several changes of it within a moment are one step. */
  const keep = (next: Page, of: string | null = null) => {
    if (!readOnly && next !== now) set(next, of)
  }
  const scrollTo = (way: Way | null) =>
    requestAnimationFrame(() => nodeAt(way)?.scrollIntoView({ block: 'nearest', inline: 'nearest' }))
  const go = ({ page, way }: Changed, focused = false) => {
    if (readOnly || page === now) return
    set(page)
    choose(way)
    scrollTo(way)
    if (focused) focus.current = way?.[0] ?? null
  }
  const removeAt = (way: Way) => {
    const gone = widgetAt(now, way)
    if (!gone || readOnly) return
    const next = remove(now, way, types)
    set(next)
    const place = way.at(-1) ?? 0
    const up = way.slice(0, -1)
    const left = up.length > 0 ? (widgetAt(next, up)?.widgets?.length ?? 0) : next.widgets.length
    const to = left > 0 ? [...up, Math.min(place, left - 1)] : up.length > 0 ? up : null
    choose(to)
    focus.current = to?.[0] ?? null
    say.success(t('portalDesign.removed', { name: words.widget(gone) }))
  }
  const copy = () => {
    if (!widget) return
    localStorage.setItem(CLIP, JSON.stringify(widget))
    say.success(t('portalDesign.copied', { name: words.widget(widget) }))
  }
  return {
    chosen,
    widget,
    choose,
    /** The place that gets the focus as soon as it is drawn. */
    focus,
    scrollTo,
    setChosen: (path: Path, value: unknown) =>
      chosen && keep(setWidget(now, chosen, path, value), `set ${chosen.join('.')} ${path.join('/')}`),
    setPage: (path: Path, value: unknown) => {
      const next = path.length === 0 ? (value as Page) : setPage(now, path, value)
      keep(next, `set ${path.join('/')}`)
    },
    setBoxes: (next: readonly Box[]) => keep(place(now, next, types)),
    setBox: (to: Partial<Box>) => {
      if (top >= 0) keep(place(now, put(boxes, top, to), types), `box ${top}`)
    },
    step: (dx: number, dy: number) => {
      if (top >= 0) keep(place(now, stepped(boxes, top, dx, dy), types), `step ${top}`)
      else if (chosen && dy !== 0) {
        const { page, way } = reorder(now, chosen, dy > 0 ? 1 : -1)
        if (page !== now) go({ page, way })
      }
      scrollTo(chosen)
    },
    grow: (wider: number, higher: number) => {
      const box = boxes[top]
      if (box)
        keep(
          place(now, put(boxes, top, { width: box.width + wider, height: box.height + higher }), types),
          `grow ${top}`,
        )
    },
    /** Adds a widget: into the layout that is chosen, to a place of the grid, or below all others. */
    add: (type: WidgetType, at: { x: number; y: number } | null) => {
      if (readOnly) return
      const made = newWidget(type, now, portalCode, root)
      const holders: Way[] = chosen ? [chosen, chosen.slice(0, -1)] : []
      const into = at
        ? undefined
        : holders.find((way) => {
            const holder = widgetAt(now, way)
            return holder !== undefined && mayHold(types.get(holder.type) ?? undefined, type)
          })
      if (!into && !mayHold(null, type))
        return say.warning(t('portalDesign.needsHolder', { name: words.type(type.type) }))
      go(add(now, made, into ? { into } : { at }, types), true)
      say.success(t('paper.added', { name: words.widget(made) }))
    },
    reorder: (way: Way, by: 1 | -1) => go(reorder(now, way, by)),
    moveInto: (into: Way) => chosen && go(moveInto(now, chosen, into, types)),
    removeAt,
    remove: () => chosen && removeAt(chosen),
    copy,
    cut: () => {
      copy()
      if (chosen) removeAt(chosen)
    },
    paste: () => {
      const copied = clip()
      if (copied) go(paste(now, copied, chosen, types), true)
    },
    duplicate: () => {
      if (widget) go(paste(now, widget, chosen?.length === 1 ? chosen : (chosen?.slice(0, -1) ?? null), types), true)
    },
  }
}

export type Acts = ReturnType<typeof useActs>
