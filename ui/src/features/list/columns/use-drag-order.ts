import { type PointerEvent, useEffect, useRef, useState } from 'react'

/** Held this long before a row comes loose: a shorter press is a click or a scroll. */
export const DRAG_DELAY = 100
/** Further than this before that, the finger scrolls. */
const SLIP = 6
/** Nearer than this to an end, the list scrolls along. */
const EDGE = 28

interface Drag {
  code: string
  /** Where it came loose, and where the pointer is now, in pixels of the list. */
  from: number
  at: number
}

/** Where a dragged row would land: its place among all rows, from the middle of where it hangs. */
export function landing(index: number, moved: number, height: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index + Math.round(moved / height)))
}

export function reordered(order: string[], code: string, to: number): string[] {
  const rest = order.filter((other) => other !== code)
  return [...rest.slice(0, to), code, ...rest.slice(to)]
}

/** Rows of equal height that are put in order by dragging a handle. The order is handed over once, when the row is let go. */
export function useDragOrder(order: string[], height: number, done: (code: string, to: number) => void) {
  const list = useRef<HTMLUListElement>(null)
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; y: number } | null>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const stop = () => {
    if (waiting.current) clearTimeout(waiting.current.timer)
    waiting.current = null
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list goes
  useEffect(() => stop, [])
  const place = (clientY: number) => {
    const box = list.current
    return box ? clientY - box.getBoundingClientRect().top + box.scrollTop : 0
  }
  const scroll = (by: number) => {
    if (list.current) list.current.scrollTop += by
  }
  const index = drag ? order.indexOf(drag.code) : -1
  const to = drag ? landing(index, drag.at - drag.from, height, order.length) : -1
  const preview = drag ? reordered(order, drag.code, to) : order

  const handle = (code: string) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      const { currentTarget, pointerId, clientY } = event
      stop()
      const timer = setTimeout(() => {
        currentTarget.setPointerCapture(pointerId)
        setDrag({ code, from: place(clientY), at: place(clientY) })
      }, DRAG_DELAY)
      waiting.current = { timer, y: clientY }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (!drag) {
        if (waiting.current && Math.abs(event.clientY - waiting.current.y) > SLIP) stop()
        return
      }
      const box = list.current?.getBoundingClientRect()
      if (box && event.clientY < box.top + EDGE) scroll(-height / 3)
      if (box && event.clientY > box.bottom - EDGE) scroll(height / 3)
      setDrag({ ...drag, at: place(event.clientY) })
    },
    onPointerUp: () => {
      stop()
      if (drag && to !== index) done(drag.code, to)
      setDrag(null)
    },
    onPointerCancel: () => {
      stop()
      setDrag(null)
    },
  })
  /** Where each row is: pixels from the top of the list. */
  const offset = (code: string) =>
    drag?.code === code ? index * height + drag.at - drag.from : preview.indexOf(code) * height
  return { list, handle, offset, dragged: drag?.code ?? null }
}
