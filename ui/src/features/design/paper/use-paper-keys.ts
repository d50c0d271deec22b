import { useEffect, useRef } from 'react'
import { typing } from '../shared/use-keys'
import type { Chosen } from './edit'

interface Keys {
  chosen: Chosen
  /** How many elements the page has. */
  count: number
  active: boolean
  onChoose: (chosen: Chosen) => void
  onMove: (chosen: Chosen, dx: number, dy: number) => void
  onGrow: (chosen: Chosen, wider: number, higher: number) => void
  onRemove: (chosen: Chosen) => void
  onDuplicate: (chosen: Chosen) => void
  onCopy: (chosen: Chosen) => void
  onCut: (chosen: Chosen) => void
  onPaste: () => void
  onOpen: (chosen: Chosen) => void
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The element that has the focus, by its page and place. */
function focused(): Chosen | null {
  const of = (document.activeElement as HTMLElement | null)?.dataset.element?.split('/')
  return of ? { page: Number(of[0]), at: [Number(of[1])] } : null
}

/** Whether keys are for the paper: the focus is on an element, or nowhere. */
const forPaper = (target: EventTarget | null) =>
  target === document.body || (target instanceof HTMLElement && target.closest('[data-page]') !== null)

/** What keys do on the paper. */
export function usePaperKeys(keys: Keys) {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const now = latest.current
      if (!now.active || event.defaultPrevented || typing(event.target) || !forPaper(event.target)) return
      if (document.querySelector('[role="dialog"]:not([aria-hidden="true"])')) return
      const on = focused()
      const has = on && on.page === now.chosen.page && now.chosen.at.includes(on.at[0] ?? -1)
      // What has the focus is meant, with all that is chosen when it is one of them.
      const meant = !on || has ? now.chosen : on
      const mod = event.ctrlKey || event.metaKey
      const key = event.key.toLowerCase()
      const done = () => event.preventDefault()
      const arrow = ARROWS[event.key]
      if (arrow) {
        if (meant.at.length === 0) return
        done()
        if (meant !== now.chosen) now.onChoose(meant)
        const step = event.altKey ? 0.1 : event.shiftKey ? 5 : 1
        const [dx, dy] = [arrow[0] * step, arrow[1] * step]
        if (mod) now.onGrow(meant, dx, dy)
        else now.onMove(meant, dx, dy)
        return
      }
      if (mod && !event.altKey) {
        if (key === 'a') {
          done()
          const page = on?.page ?? now.chosen.page
          if (page === now.chosen.page) now.onChoose({ page, at: [...Array(now.count).keys()] })
          return
        }
        if (key === 'c' && !getSelection()?.toString()) {
          done()
          return now.onCopy(meant)
        }
        if (key === 'x') {
          done()
          return now.onCut(meant)
        }
        if (key === 'v') {
          done()
          return now.onPaste()
        }
        if (key === 'd') {
          done()
          return now.onDuplicate(meant)
        }
        return
      }
      if ((event.key === 'Delete' || event.key === 'Backspace') && meant.at.length > 0) {
        done()
        return now.onRemove(meant)
      }
      if (event.key === 'Escape' && now.chosen.at.length > 0) {
        done()
        return now.onChoose({ page: now.chosen.page, at: [] })
      }
      if (!on) return
      if (event.key === ' ') {
        done()
        const [at = 0] = on.at
        const mine = on.page === now.chosen.page ? now.chosen.at : []
        now.onChoose({ page: on.page, at: has ? mine.filter((one) => one !== at) : [...mine, at] })
      } else if (event.key === 'Enter') {
        done()
        now.onOpen(meant)
      }
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
