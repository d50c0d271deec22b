import { useEffect, useRef } from 'react'

/** The forms that are being edited, the uppermost last: keys are for that one. */
const open: object[] = []

/** Ctrl+S, and ⌘S, save. */
export function useSaveKey(active: boolean, save: () => void) {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    if (!active) return
    const own = {}
    open.push(own)
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      if (open.at(-1) === own) latest.current()
    }
    window.addEventListener('keydown', onKey)
    return () => {
      open.splice(open.indexOf(own), 1)
      window.removeEventListener('keydown', onKey)
    }
  }, [active])
}
