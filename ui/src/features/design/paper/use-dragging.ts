import { type PointerEvent as Pointing, useRef } from 'react'
import { type Chosen, elementsOf, move, resize, within } from './edit'
import { type Guide, type Handle, snapMove, snapResize } from './snap'
import { around, type Box, boxOf, type Setup, type Template } from './template'

/** How near in pixels something is drawn to a line, and how far a pointer goes before it drags. */
const NEAR = 5
/** The same in millimeters, of paper that is drawn small. */
const FAR = 2
const SLOP = 3

type Drag =
  | { kind: 'move'; page: number; from: Box; chosen: Chosen }
  | { kind: 'resize'; page: number; from: Box; chosen: Chosen; handle: Handle }
  | { kind: 'band'; page: number; kept: number[] }

/** What is drawn over the paper while something is dragged. */
export interface Shown {
  page: number
  guides: Guide[]
  band: Box | null
}

export const NOTHING: Shown = { page: 0, guides: [], band: null }

interface Props {
  template: Template
  setup: Setup
  chosen: Chosen
  scale: number
  onChoose: (chosen: Chosen) => void
  onLive: (template: Template | null) => void
  onChange: (template: Template) => void
}

/** What a pointer drags. */
export function useDragging(props: Props, show: (shown: Shown) => void) {
  const latest = useRef(props)
  latest.current = props

  const run = (event: Pointing, drag: Drag, origin: Element) => {
    const start = { x: event.clientX, y: event.clientY }
    const base = latest.current.template
    const { setup, scale } = latest.current
    const others = (base.pages[drag.page]?.elements ?? [])
      .filter((_, i) => drag.kind === 'band' || !drag.chosen.at.includes(i))
      .map(boxOf)
    let moved = false
    let next: Template | null = null
    const millimeters = (at: PointerEvent) => {
      const rect = origin.getBoundingClientRect()
      return { x: (at.clientX - rect.left) / scale, y: (at.clientY - rect.top) / scale }
    }
    const first = millimeters(event.nativeEvent)
    const follow = (at: PointerEvent) => {
      if (!moved && Math.hypot(at.clientX - start.x, at.clientY - start.y) < SLOP) return
      moved = true
      const now = millimeters(at)
      const [dx, dy] = [now.x - first.x, now.y - first.y]
      const options = {
        others,
        inner: { width: setup.inner, height: setup.usable },
        near: at.altKey ? 0 : Math.min(NEAR / scale, FAR),
        grid: at.altKey ? 0 : 1,
      }
      if (drag.kind === 'band') {
        const band = {
          left: Math.min(first.x, now.x),
          top: Math.min(first.y, now.y),
          width: Math.abs(dx),
          height: Math.abs(dy),
        }
        show({ page: drag.page, guides: [], band })
        latest.current.onChoose({ page: drag.page, at: [...new Set([...drag.kept, ...within(base, drag.page, band)])] })
        return
      }
      if (drag.kind === 'move') {
        const to = { ...drag.from, left: Math.max(0, drag.from.left + dx), top: Math.max(0, drag.from.top + dy) }
        const snapped = snapMove(to, options)
        next = move(base, drag.chosen, to.left - drag.from.left + snapped.dx, to.top - drag.from.top + snapped.dy)
        show({ page: drag.page, guides: snapped.guides, band: null })
      } else {
        const snapped = snapResize(drag.from, drag.handle, dx, dy, options)
        next = resize(base, drag.chosen, snapped.box)
        show({ page: drag.page, guides: snapped.guides, band: null })
      }
      latest.current.onLive(next)
    }
    const end = (keep: boolean) => {
      window.removeEventListener('pointermove', follow)
      window.removeEventListener('pointerup', up)
      window.removeEventListener('pointercancel', cancel)
      window.removeEventListener('keydown', giveUp, true)
      show(NOTHING)
      latest.current.onLive(null)
      if (keep && next && next !== base) latest.current.onChange(next)
      if (!moved && keep && drag.kind === 'band') latest.current.onChoose({ page: drag.page, at: drag.kept })
    }
    const up = () => end(true)
    const cancel = () => end(false)
    const giveUp = (key: KeyboardEvent) => {
      if (key.key !== 'Escape') return
      key.preventDefault()
      key.stopPropagation()
      end(false)
    }
    window.addEventListener('pointermove', follow)
    window.addEventListener('pointerup', up)
    window.addEventListener('pointercancel', cancel)
    window.addEventListener('keydown', giveUp, true)
  }

  const originOf = (event: Pointing) =>
    (event.currentTarget.closest('[data-page]') ?? event.currentTarget).querySelector('[data-origin]') ??
    event.currentTarget

  return {
    move: (event: Pointing, page: number, at: number) => {
      if (event.button !== 0) return
      event.stopPropagation()
      const { chosen, template, onChoose } = latest.current
      const mine = chosen.page === page ? chosen.at : []
      const adds = event.shiftKey || event.ctrlKey || event.metaKey
      let picked = mine
      if (adds) picked = mine.includes(at) ? mine.filter((one) => one !== at) : [...mine, at]
      else if (!mine.includes(at)) picked = [at]
      if (picked !== mine || chosen.page !== page) onChoose({ page, at: picked })
      // A finger scrolls, until it has chosen something: that it drags.
      if ((event.pointerType === 'touch' && picked !== mine) || picked.length === 0 || adds) return
      const drag = { page, at: picked }
      run(
        event,
        { kind: 'move', page, from: around(elementsOf(template, drag).map(boxOf)), chosen: drag },
        originOf(event),
      )
    },
    resize: (event: Pointing, page: number, handle: Handle) => {
      if (event.button !== 0) return
      event.stopPropagation()
      event.preventDefault()
      const { chosen, template } = latest.current
      run(
        event,
        { kind: 'resize', page, handle, from: around(elementsOf(template, chosen).map(boxOf)), chosen },
        originOf(event),
      )
    },
    band: (event: Pointing, page: number) => {
      if (event.button !== 0) return
      const { chosen, onChoose } = latest.current
      const kept = event.shiftKey && chosen.page === page ? chosen.at : []
      if (event.pointerType === 'touch') return onChoose({ page, at: [] })
      onChoose({ page, at: kept })
      run(event, { kind: 'band', page, kept }, originOf(event))
    },
  }
}
