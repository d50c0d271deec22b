import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

const overflows = (row: HTMLElement | null) => row !== null && row.scrollWidth > row.clientWidth

/**
 * How far a row of controls is folded so that it fits: 0 = all of it is there. It begins again with each width of the row, and
 * folds further when something in it comes or grows.
 */
export function useFold(row: RefObject<HTMLElement | null>, most: number): number {
  const [state, setState] = useState({ width: 0, fold: 0 })
  const { width, fold } = state
  useLayoutEffect(() => {
    if (fold < most && overflows(row.current)) setState({ width, fold: fold + 1 })
  }, [row, most, width, fold])
  useEffect(() => {
    const around = row.current
    if (!around || typeof ResizeObserver === 'undefined') return
    const check = () =>
      setState((now) => {
        const width = around.clientWidth
        if (width !== now.width) return { width, fold: 0 }
        return now.fold < most && overflows(around) ? { width, fold: now.fold + 1 } : now
      })
    const sizes = new ResizeObserver(check)
    const watch = () => {
      for (const child of around.children) sizes.observe(child)
    }
    sizes.observe(around)
    watch()
    const comers = new MutationObserver(watch)
    comers.observe(around, { childList: true })
    return () => {
      sizes.disconnect()
      comers.disconnect()
    }
  }, [row, most])
  return fold
}
