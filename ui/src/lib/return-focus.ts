import { useEffect, useState } from 'react'

const TAKES_FOCUS = 'a[href], button, input, select, textarea, [tabindex]'

/** The class of a sheet that is a menu. */
export const MENU_SHEET = 'menu-sheet'

/** What closes when something in it is chosen, and can't take the focus back. */
const POPUP = `.ant-dropdown, .ant-select-dropdown, .ant-popover, .${MENU_SHEET}`

/** What had the focus last, outside of menus and the like: what opened them. */
let outside: Element | null = null
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && !target.closest(POPUP)) outside = target
})

/**
 * Remembers where the focus is; what it returns puts it back there when whatever held it since is gone. What is drawn again in
 * the meantime, such as a link in a cell, gives it to what is around it, and an entry of a menu to what opened the menu.
 */
export function keepFocus(): () => void {
  const places: HTMLElement[] = []
  const held = document.activeElement
  const start = !held || held === document.body || held.closest(POPUP) ? outside : held
  for (let at = start; at instanceof HTMLElement && at !== document.body; at = at.parentElement) places.push(at)
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
