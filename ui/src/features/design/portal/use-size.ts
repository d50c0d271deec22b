import { useLayoutEffect, useState } from 'react'

/** The width of an element as it is now; a change of less than the width of a scroll bar is none. */
export function useSize() {
  const [element, ref] = useState<HTMLElement | null>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!element) return
    const measure = () => setWidth((old) => (Math.abs(old - element.clientWidth) < 2 ? old : element.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return { ref, width }
}
