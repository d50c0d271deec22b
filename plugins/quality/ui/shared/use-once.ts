import { useRef } from 'react'

/** Two presses within this time are a double click, in milliseconds. */
const DOUBLE = 1000

/** Runs what a button does once, also when it is pressed twice before the page knows that it is busy, or while the dialog closes. */
export function useOnce(busy: boolean) {
  const last = useRef(Number.NEGATIVE_INFINITY)
  return (run: () => void) => {
    const now = performance.now()
    if (busy || now - last.current < DOUBLE) return
    last.current = now
    run()
  }
}
