import type { MouseEvent } from 'react'
import { useHref, useNavigate } from 'react-router'
import { useFormState } from '@/sdk/record-link'

/** What acts for itself within a row. */
const OWN = 'a, button, input, label, [role="menu"], [role="dialog"], [role="button"]'

/** A press that belongs to the row: not to a button of it, and not the end of selecting text. */
const meansRow = ({ target, currentTarget }: MouseEvent) =>
  target instanceof Element &&
  currentTarget.contains(target) &&
  !target.closest(OWN) &&
  !window.getSelection()?.toString()

/** A row that opens what it is about, as its link does: a press here, with Ctrl or the middle button in a new tab. By keyboard its link opens it. */
export function useOpenRow(to: string) {
  const navigate = useNavigate()
  const href = useHref(to)
  const state = useFormState()
  const aside = () => window.open(href, '_blank', 'noopener')
  return {
    'data-opens': true,
    onClick: (event: MouseEvent) => {
      if (event.button !== 0 || event.shiftKey || event.altKey || !meansRow(event)) return
      if (event.ctrlKey || event.metaKey) aside()
      else void navigate(to, { state })
    },
    onAuxClick: (event: MouseEvent) => {
      if (event.button === 1 && meansRow(event)) aside()
    },
    onMouseDown: (event: MouseEvent) => {
      if (event.button === 1 && meansRow(event)) event.preventDefault() // no scrolling by the middle button
    },
  }
}
