import { startTransition, useEffect, useState } from 'react'

/** Upper limit for deferred parts of a list page, in case the rows are late. */
const PATIENCE_MS = 1000

let settled = true
const waiting = new Set<() => void>()

/** The page opens with a list, whose rows are to stand first: hints, menus and pickers around it are drawn after them. */
export function deferUntilRowsPainted() {
  settled = false
  setTimeout(rowsPainted, PATIENCE_MS)
}

/** The rows stand, or there are none to wait for. What waited is drawn once they have been painted. */
export function rowsPainted() {
  if (settled) return
  settled = true
  requestAnimationFrame(() => setTimeout(() => startTransition(drawRest)))
}

function drawRest() {
  for (const draw of waiting) draw()
}

/** Whether what is not needed at first sight may be drawn. */
export function useSettled(): boolean {
  const [may, setMay] = useState(settled)
  useEffect(() => {
    if (may) return
    const draw = () => setMay(true)
    if (settled) return draw()
    waiting.add(draw)
    return () => void waiting.delete(draw)
  }, [may])
  return may
}
