import { type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { scrollerOf } from '@/lib/scroller'

/** How far below the page, in pixels, a chart is drawn before it is seen. */
const AHEAD = '400px 0px'

const waiting: (() => void)[] = []

function next() {
  waiting.shift()?.()
  if (waiting.length > 0) setTimeout(next)
}

/** Calls one after another, with time for the page between them; what is taken back is not called. */
function inTurn(call: () => void): () => void {
  waiting.push(call)
  if (waiting.length === 1) setTimeout(next)
  return () => {
    const at = waiting.indexOf(call)
    if (at >= 0) waiting.splice(at, 1)
  }
}

/**
 * Whether it is the turn of a chart with many points: it is about to be seen, and those before it are drawn. A page of such charts shows
 * the first of them while the others are made. Paper has them all.
 */
export function useTurn(box: RefObject<Element | null>, many: boolean): boolean {
  const [turn, setTurn] = useState(typeof IntersectionObserver === 'undefined')
  useEffect(() => {
    if (turn || !many || !box.current) return
    let back = () => {}
    const now = () => flushSync(() => setTurn(true))
    const observer = new IntersectionObserver(
      (seen) => {
        if (!seen.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        back = inTurn(now)
      },
      { root: scrollerOf(box.current), rootMargin: AHEAD },
    )
    observer.observe(box.current)
    window.addEventListener('beforeprint', now)
    return () => {
      observer.disconnect()
      window.removeEventListener('beforeprint', now)
      back()
    }
  }, [turn, many, box])
  return turn || !many
}
