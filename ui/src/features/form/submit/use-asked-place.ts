import { type RefObject, useCallback, useEffect, useState } from 'react'
import type { AskedPlace } from '@/sdk/errors'

/** Frames that a tab, a group or a control may take to be drawn. */
const FRAMES = 60
const CONTROL = 'input:not([type="hidden"]), textarea, button, [tabindex]'

const visible = (element: HTMLElement) => element.getClientRects().length > 0

/**
 * Leads to a place of a form: tabs and groups that hold it open themselves (AskedPlaceContext), then it gets the keyboard. A sub-table puts the
 * keyboard into the cell itself.
 */
export function useAskedPlace(page: RefObject<HTMLElement | null>) {
  const [asked, setAsked] = useState<AskedPlace | null>(null)
  const go = useCallback((place: AskedPlace) => setAsked({ ...place }), [])
  useEffect(() => {
    if (!asked) return
    let frame = 0
    let left = FRAMES
    const look = () => {
      const field = [...(page.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])].find(
        (one) => one.dataset.field === asked.code && visible(one),
      )
      const control = field?.querySelector<HTMLElement>(asked.row === undefined ? CONTROL : '[data-keys], button')
      if (!field || !control) {
        left -= 1
        if (left > 0) frame = requestAnimationFrame(look)
        else setAsked(null)
        return
      }
      field.scrollIntoView({ block: 'center' })
      if (asked.row === undefined) control.focus({ preventScroll: true })
      setAsked(null)
    }
    frame = requestAnimationFrame(look)
    return () => cancelAnimationFrame(frame)
  }, [asked, page])
  return { asked, go }
}
