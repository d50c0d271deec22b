import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Puts right what a library draws below an element, now and whenever it draws there again. `mend` stays the same function. */
export function useMend<E extends Element>(mend: (root: E) => void): RefObject<E | null> {
  const ref = useRef<E>(null)
  useLayoutEffect(() => {
    const root = ref.current
    if (!root) return
    mend(root)
    const observer = new MutationObserver(() => mend(root))
    observer.observe(root, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [mend])
  return ref
}
