import { throttle } from '@/lib/throttle'

/**
 * A part of the drawn table that something is measured by: its rows, or its header. Only an author's style can take one away;
 * the page goes on without what was to be measured, and reports what it looked for, as browsers report what nobody caught.
 */
export function tablePart(around: ParentNode, selector: string, part: 'form' | 'header' = 'form'): HTMLElement | null {
  const found = around.querySelector<HTMLElement>(selector)
  if (!found) reportError(new Error(`cannot find ${part} element: ${selector}`))
  return found
}

/** Works while something inside an element is scrolled; returns how to end it. */
export function whileScrolling(around: Element, work: () => void) {
  const scrolled = throttle(work)
  around.addEventListener('scroll', scrolled, { capture: true, passive: true })
  return () => {
    scrolled.stop()
    around.removeEventListener('scroll', scrolled, { capture: true })
  }
}
