import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react'
import type { Selection } from './range'

export const ROW = 34
export const HEAD = 34
/** Rows that are drawn beyond those in sight. */
const SPARE = 8
/** Width of the column with the row numbers, which stays in sight. */
export const NUMBERS = 52

/** The rows that have to be drawn: those in sight and some more. It changes only every few rows. */
export function useRowWindow(scroll: RefObject<HTMLDivElement | null>, count: number) {
  const [view, setView] = useState({ first: 0, last: 24 })
  const look = useCallback(() => {
    const box = scroll.current
    if (!box) return
    const first = Math.floor(box.scrollTop / ROW)
    const last = Math.ceil((box.scrollTop + box.clientHeight) / ROW)
    setView((old) => {
      const inside =
        old.first <= Math.max(0, first - 2) && old.last >= last + 2 && old.last - old.first < last - first + 3 * SPARE
      return inside ? old : { first: Math.max(0, first - SPARE), last: last + SPARE }
    })
  }, [scroll])
  useEffect(() => {
    const box = scroll.current
    if (!box || typeof ResizeObserver === 'undefined') return
    const watch = new ResizeObserver(look)
    watch.observe(box)
    return () => watch.disconnect()
  }, [scroll, look])
  // biome-ignore lint/correctness/useExhaustiveDependencies: fewer rows may end the scrolling elsewhere
  useLayoutEffect(look, [count])
  return { first: view.first, last: Math.min(view.last, count - 1), onScroll: look }
}

/** Rows in sight at once, for the page keys. */
export const pageOf = (box: HTMLDivElement | null) =>
  Math.max(1, Math.floor(((box?.clientHeight ?? 340) - HEAD) / ROW) - 1)

/** Scrolls the moving end of the selection into sight, below the head and right of the row numbers. */
export function useReveal(scroll: RefObject<HTMLDivElement | null>, { head, active, range }: Selection, foot: boolean) {
  const { row, column } = range ? active : head
  useLayoutEffect(() => {
    const box = scroll.current
    if (!box) return
    const top = row * ROW
    const room = box.clientHeight - HEAD - (foot ? ROW : 0)
    if (top < box.scrollTop) box.scrollTop = top
    else if (top + ROW > box.scrollTop + room) box.scrollTop = top + ROW - room
  }, [scroll, row, foot])
  useLayoutEffect(() => {
    const box = scroll.current
    const title = box?.querySelector<HTMLElement>(`[data-head="${column}"]`)
    if (!box || !title) return
    const left = title.offsetLeft
    if (left - NUMBERS < box.scrollLeft) box.scrollLeft = left - NUMBERS
    else if (left + title.offsetWidth > box.scrollLeft + box.clientWidth)
      box.scrollLeft = left + title.offsetWidth - box.clientWidth
  }, [scroll, column])
}
