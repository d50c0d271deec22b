import { useEffect, useRef } from 'react'

/** Two presses within this time are a double click, in milliseconds. */
const DOUBLE = 400

/** Runs what a button does once, also when it is pressed twice before the page knows that it is busy. After a refusal it can be pressed at once. */
export function useOnce(busy: boolean) {
  const last = useRef(Number.NEGATIVE_INFINITY)
  const was = useRef(busy)
  useEffect(() => {
    if (was.current && !busy) last.current = Number.NEGATIVE_INFINITY
    was.current = busy
  }, [busy])
  return (run: () => void) => {
    const now = performance.now()
    if (busy || now - last.current < DOUBLE) return
    last.current = now
    run()
  }
}
