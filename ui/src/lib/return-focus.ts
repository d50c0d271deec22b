import { useEffect, useState } from 'react'

const TAKES_FOCUS = 'a[href], button, input, select, textarea, [tabindex]'

/**
 * Remembers where the focus is; what it returns puts it back there when whatever held it since is gone. What is drawn again in
 * the meantime, such as a link in a cell, gives it to what is around it.
 */
export function keepFocus(): () => void {
  const places: HTMLElement[] = []
  for (let at = document.activeElement; at instanceof HTMLElement && at !== document.body; at = at.parentElement)
    places.push(at)
  return () => {
    const now = document.activeElement
    if (now && now !== document.body) return
    const place = places.find((one) => one.isConnected && one.matches(TAKES_FOCUS))
    place?.focus({ preventScroll: true })
  }
}

/** For what is over the page while it is mounted: when it goes, the focus is back where it was. */
export function useReturnFocus() {
  const [returnFocus] = useState(keepFocus)
  useEffect(() => () => void setTimeout(returnFocus), [returnFocus])
}
