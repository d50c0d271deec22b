import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'

/** How long a finger rests until it means more than a tap, as phones have it. */
const REST = 500
/** How far it may move meanwhile, in pixels; further it scrolls. */
const SLOP = 10

/**
 * What a finger that rests on an element does. The tap that ends it, and the menu of the browser that would come, do nothing. Mice have other
 * ways: they are not listened to.
 */
export function useLongPress(run: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const at = useRef({ x: 0, y: 0 })
  const held = useRef(false)
  const touched = useRef(false)
  const stop = () => {
    if (timer.current) clearTimeout(timer.current)
    timer.current = null
  }
  useEffect(
    () => () => {
      if (timer.current) clearTimeout(timer.current)
    },
    [],
  )
  return {
    onPointerDown: (event: PointerEvent) => {
      stop()
      held.current = false
      touched.current = event.pointerType === 'touch'
      if (!touched.current || !event.isPrimary) return
      at.current = { x: event.clientX, y: event.clientY }
      timer.current = setTimeout(() => {
        held.current = true
        run()
      }, REST)
    },
    onPointerMove: (event: PointerEvent) => {
      if (Math.hypot(event.clientX - at.current.x, event.clientY - at.current.y) > SLOP) stop()
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    onContextMenu: (event: MouseEvent) => {
      if (touched.current) event.preventDefault()
    },
    onClickCapture: (event: MouseEvent) => {
      if (!held.current) return
      held.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
