import { useEffect, useRef } from 'react'

const editable = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type))

function pressed(event: KeyboardEvent, key: string): boolean {
  if (key.startsWith('mod+')) return (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === key.slice(4)
  return event.key === key && !event.ctrlKey && !event.metaKey && !event.altKey && !editable(event.target)
}

/** A shortcut of the whole page; single keys rest while somebody types, and while a dialog is open. */
export function useHotkey(key: string, run: () => void) {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!pressed(event, key)) return
      if (!key.startsWith('mod+') && document.querySelector('[role="dialog"]:not([aria-hidden="true"])')) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [key])
}
