import { useEffect, useState } from 'react'
import { useIsNarrow, useIsPhone } from './use-media'

/** How many dialogs and drawers are open; those that closed may stay in the page, hidden. */
const openDialogs = () =>
  [...document.querySelectorAll<HTMLElement>('.ant-modal-wrap, .ant-drawer-open')].filter(
    (one) => one.style.display !== 'none',
  ).length

/**
 * A value that decides which of two layouts is drawn. It keeps still while a dialog is open that was opened after the layout: with its
 * layout a dialog would lose what was typed and chosen in it. A dialog around the layout does not count.
 */
export function useHeld<T>(now: T): T {
  const [around] = useState(openDialogs)
  const [held, setHeld] = useState(now)
  const waits = now !== held && openDialogs() > around
  if (now !== held && !waits) setHeld(now)
  useEffect(() => {
    if (!waits) return
    const look = new MutationObserver(() => {
      if (openDialogs() <= around) setHeld(now)
    })
    look.observe(document.body, { subtree: true, childList: true, attributeFilter: ['class', 'style'] })
    return () => look.disconnect()
  }, [waits, now, around])
  return waits ? held : now
}

/** Whether a layout is the one for phones. */
export const useHeldPhone = () => useHeld(useIsPhone())

/** Whether a layout is the one for narrow windows. */
export const useHeldNarrow = () => useHeld(useIsNarrow())
