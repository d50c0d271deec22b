import { type RefObject, useLayoutEffect, useState } from 'react'

export interface Pins {
  left: string[]
  right: string[]
}

interface Wanted {
  code: string
  width: number
}

/**
 * Which of the columns that want to stay at an edge may: together with what is always there (`taken`) they leave half of the
 * table to the others. The left ones come first, in their order; behind one that has no room no other stays. All but the first
 * leave so much (`kept`) to the right ones.
 */
export function pinsFor(width: number, taken: number, left: Wanted[], right: Wanted[], kept = 0): Pins {
  let room = width / 2 - taken
  const fit = (columns: Wanted[], leave = 0) => {
    const codes: string[] = []
    for (const column of columns) {
      if (column.width > room - leave) break
      room -= column.width
      codes.push(column.code)
    }
    return codes
  }
  const first = fit(left.slice(0, 1))
  const others = first.length > 0 ? fit(left.slice(1), kept) : []
  return { left: [...first, ...others], right: fit([...right].reverse()) }
}

/** How wide an element is, from its first drawing on. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(() => window.innerWidth)
  useLayoutEffect(() => {
    const box = element.current
    if (!box) return
    const measure = () => box.clientWidth > 0 && setWidth(box.clientWidth)
    measure()
    if (typeof ResizeObserver === 'undefined') return
    const sizes = new ResizeObserver(measure)
    sizes.observe(box)
    return () => sizes.disconnect()
  }, [element])
  return width
}
