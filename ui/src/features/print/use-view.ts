import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useIsPhone } from '@/lib/use-media'
import type { PrintPage } from '@/sdk/paper/marks'
import { PIXELS, stepOf, type Zoom } from '@/sdk/paper/zoom'
import { currentOf, drawnOf, placesOf } from './geometry'

/** How far sheets keep from the edge of the view and from each other, in pixels. */
const ROOM = { edge: 24, gap: 16 }
const ROOM_OF_PHONES = { edge: 8, gap: 8 }

/** How sheets are looked at: how large, which of them, and which are drawn. */
export function useView(pages: PrintPage[]) {
  const [element, box] = useState<HTMLDivElement | null>(null)
  const room = useIsPhone() ? ROOM_OF_PHONES : ROOM
  const [view, setView] = useState({ width: 0, height: 0 })
  const [chosen, setZoom] = useState<Zoom | null>(null)
  const [scrolled, setScrolled] = useState(0)
  const widest = Math.max(...pages.map((page) => page.width), 1)
  const fit = Math.max((view.width - 2 * room.edge) / widest, 0.1)
  // As on paper where that has room.
  const zoom = chosen ?? (fit >= PIXELS ? 100 : 'fit')
  const scale = zoom === 'fit' ? fit : (zoom / 100) * PIXELS
  const places = useMemo(() => placesOf(pages, scale, room), [pages, scale, room])
  const current = currentOf(places, scrolled, view.height)
  const [from, to] = drawnOf(places, scrolled, view.height)

  useLayoutEffect(() => {
    if (!element) return
    const measure = () => setView({ width: element.clientWidth, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])

  /** What is seen stays in view when it grows: the part of a sheet in the middle of the view. */
  const kept = useRef({ places, scrolled: 0 })
  useLayoutEffect(() => {
    const before = kept.current.places
    if (element && before !== places && before.length === places.length) {
      const middle = element.clientHeight / 2
      const at = currentOf(before, kept.current.scrolled + middle, 0)
      const [old, now] = [before[at], places[at]]
      if (old && now && old.height > 0) {
        const part = (kept.current.scrolled + middle - old.top) / old.height
        if (kept.current.scrolled > 0) element.scrollTop = now.top + part * now.height - middle
        element.scrollLeft = (element.scrollWidth - element.clientWidth) / 2
      }
    }
    kept.current = { places, scrolled: element?.scrollTop ?? 0 }
  }, [places, element])

  // Arrows, Home and End scroll it from the beginning.
  useEffect(() => {
    if (document.activeElement === document.body) element?.focus({ preventScroll: true })
  }, [element])

  const onScroll = useCallback(() => {
    const top = element?.scrollTop ?? 0
    kept.current.scrolled = top
    setScrolled(top)
  }, [element])

  const go = (page: number) => {
    const place = places[Math.min(Math.max(page, 0), places.length - 1)]
    if (place) element?.scrollTo({ top: place.top - room.gap / 2 })
  }
  // Other records or another template: from the beginning.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pages are what changes
  useEffect(() => {
    element?.scrollTo({ top: 0 })
  }, [pages, element])

  const percent = Math.round((scale / PIXELS) * 100)
  return {
    box,
    onScroll,
    places,
    from,
    to,
    current,
    go,
    zoom,
    percent,
    setZoom,
    step: (by: 1 | -1) => setZoom(stepOf(percent, by)),
    height: (places.at(-1)?.top ?? 0) + (places.at(-1)?.height ?? 0) + room.edge,
    width: widest * scale + 2 * room.edge,
  }
}

export type View = ReturnType<typeof useView>
