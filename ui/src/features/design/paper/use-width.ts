import { useLayoutEffect, useState } from 'react'

/** The width of an element as it is now. */
export function useWidth() {
  const [element, ref] = useState<HTMLDivElement | null>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return { element, ref, width }
}
