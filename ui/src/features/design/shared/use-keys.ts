import { useEffect, useRef } from 'react'

/** Whether somebody types there: what is typed is undone by the browser. */
export const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  /^(INPUT|TEXTAREA)$/.test(target.tagName) &&
  target.getAttribute('type') !== 'radio' &&
  target.getAttribute('type') !== 'checkbox'

/** Undo and redo by keys; Escape closes the panel. */
export function useKeys({
  undo,
  redo,
  close,
  panel,
}: {
  undo: () => void
  redo: () => void
  close: () => void
  panel: boolean
}) {
  const latest = useRef({ undo, redo, close, panel })
  latest.current = { undo, redo, close, panel }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      if ((event.ctrlKey || event.metaKey) && (key === 'z' || key === 'y')) {
        if (typing(event.target)) return // what is typed is undone by the browser
        event.preventDefault()
        if (key === 'y' || event.shiftKey) latest.current.redo()
        else latest.current.undo()
      }
      if (key !== 'escape' || event.defaultPrevented || !latest.current.panel) return
      if (
        document.querySelector(
          '.ant-modal-wrap:not([style*="none"]), .ant-select-open, .ant-dropdown:not(.ant-dropdown-hidden)',
        )
      )
        return
      latest.current.close()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
