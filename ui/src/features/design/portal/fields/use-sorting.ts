import { type PointerEvent as Pointing, useRef, useState } from 'react'

/** How long entries take to make way. */
export const ANIMATION = 150
/** How long a handle is held before it drags: fingers scroll, too. */
const DELAY = { mouse: 50, touch: 100 }

interface Dragging {
  from: number
  to: number
  /** How far the pointer went. */
  by: number
  heights: number[]
}

/** Sorting of a list by dragging the handles of its entries. */
export function useSorting(onMove: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<Dragging | null>(null)
  const latest = useRef(onMove)
  latest.current = onMove

  const hold = (event: Pointing<HTMLElement>, from: number) => {
    const item = event.currentTarget.closest('li')
    const list = item?.parentElement
    if (event.button !== 0 || !list) return
    event.preventDefault()
    const rects = [...list.children].map((one) => one.getBoundingClientRect())
    const heights = rects.map((one) => one.height)
    const start = event.clientY
    let now: Dragging | null = null
    let pointer = start
    const timer = setTimeout(
      () => {
        now = { from, to: from, by: 0, heights }
        follow(pointer)
      },
      event.pointerType === 'touch' ? DELAY.touch : DELAY.mouse,
    )
    const follow = (y: number) => {
      if (!now) return
      const own = rects[from]
      const middle = (own?.top ?? 0) + (own?.height ?? 0) / 2 + y - start
      let to = rects.findIndex((rect, i) => i !== from && middle < rect.top + rect.height / 2)
      if (to < 0) to = rects.length
      now = { ...now, by: y - start, to: to > from ? to - 1 : to }
      setDrag(now)
    }
    const onPointer = (at: PointerEvent) => {
      pointer = at.clientY
      follow(at.clientY)
    }
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('pointermove', onPointer)
      window.removeEventListener('pointerup', up)
      window.removeEventListener('pointercancel', end)
      window.removeEventListener('keydown', giveUp, true)
      setDrag(null)
    }
    const up = () => {
      end()
      if (now && now.to !== now.from) latest.current(now.from, now.to)
    }
    const giveUp = (key: KeyboardEvent) => {
      if (key.key !== 'Escape') return
      key.preventDefault()
      key.stopPropagation()
      end()
    }
    window.addEventListener('pointermove', onPointer)
    window.addEventListener('pointerup', up)
    window.addEventListener('pointercancel', end)
    window.addEventListener('keydown', giveUp, true)
  }

  /** How an entry is drawn meanwhile. */
  const styleOf = (i: number) => {
    if (!drag) return undefined
    if (i === drag.from) return { transform: `translateY(${drag.by}px)`, zIndex: 1, position: 'relative' as const }
    const height = drag.heights[drag.from] ?? 0
    const by = i > drag.from && i <= drag.to ? -height : i < drag.from && i >= drag.to ? height : 0
    return { transform: `translateY(${by}px)`, transition: `transform ${ANIMATION}ms` }
  }
  return { hold, styleOf, dragging: drag !== null }
}

export const moved = <T>(list: readonly T[], from: number, to: number): T[] => {
  const next = [...list]
  next.splice(to, 0, ...next.splice(from, 1))
  return next
}
