import { useEffect, useRef } from 'react'
import { typing } from '../shared/use-keys'

interface Keys {
  active: boolean
  readOnly: boolean
  hasChosen: boolean
  onStep: (dx: number, dy: number) => void
  onGrow: (wider: number, higher: number) => void
  onRemove: () => void
  onCopy: () => void
  onCut: () => void
  onPaste: () => void
  onDuplicate: () => void
  onLeave: () => void
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Whether keys are for the page: the focus is on a widget of it, or nowhere. */
const forPage = (target: EventTarget | null) =>
  target === document.body || (target instanceof HTMLElement && target.closest('[data-sheet]') !== null)

/** What keys do to the widget that is chosen. */
export function usePortalKeys(keys: Keys) {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const now = latest.current
      if (!now.active || event.defaultPrevented || typing(event.target) || !forPage(event.target)) return
      if (document.querySelector('[role="dialog"]:not([aria-hidden="true"])')) return
      const done = () => event.preventDefault()
      const mod = event.ctrlKey || event.metaKey
      const key = event.key.toLowerCase()
      if (event.key === 'Escape' && now.hasChosen) {
        done()
        return now.onLeave()
      }
      if (mod && !event.altKey) {
        if (key === 'c' && now.hasChosen && !getSelection()?.toString()) {
          done()
          return now.onCopy()
        }
        if (now.readOnly) return
        if (key === 'x' && now.hasChosen) {
          done()
          return now.onCut()
        }
        if (key === 'v') {
          done()
          return now.onPaste()
        }
        if (key === 'd' && now.hasChosen) {
          done()
          return now.onDuplicate()
        }
        return
      }
      if (now.readOnly || !now.hasChosen) return
      const arrow = ARROWS[event.key]
      if (arrow && !mod && !event.altKey) {
        done()
        if (event.shiftKey) return now.onGrow(...arrow)
        return now.onStep(...arrow)
      }
      if (event.key === 'Delete' || event.key === 'Backspace') {
        done()
        return now.onRemove()
      }
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
