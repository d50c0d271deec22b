import { type RefObject, useEffect, useRef } from 'react'

/** So near to the end more is loaded. */
const NEAR = 150
const DEBOUNCE = 100

/** Runs when a list is scrolled near its end, and when what it shows does not fill it. `state` changes whenever more may be wanted. */
export function useScrollEnd(box: RefObject<HTMLElement | null>, onEnd: () => void, state: string) {
  const latest = useRef(onEnd)
  latest.current = onEnd
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows may still not fill the page
  useEffect(() => {
    const at = box.current
    if (!at) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        if (at.scrollHeight - at.scrollTop - at.clientHeight < NEAR) latest.current()
      }, DEBOUNCE)
    }
    look()
    at.addEventListener('scroll', look, { passive: true })
    return () => {
      clearTimeout(timer)
      at.removeEventListener('scroll', look)
    }
  }, [box, state])
}
