import { useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { LayoutItem } from '@/api/types'
import { scrollerOf } from '@/lib/scroller'
import { RenderQueueContext } from '../context'
import { codesIn } from './layout'

/** Forms up to this size are drawn as one: nobody would notice the difference. */
const SMALL = 40
/** About how high a row of fields is, for how many of them a window shows. */
const ROW = 72
/** Time for controls between two frames, so that a key never waits long; so many are drawn before the clock is looked at. */
const SLICE = 12
const FEW = 4

export type Draw = () => void

/** The order in which field widgets are rendered. */
export interface RenderQueue {
  /** It is in the part that opens in sight. */
  first: (code: string) => boolean
  /** Draws when the element comes near to sight, or when there is nothing else to do; returns how to leave the queue. */
  wait: (element: Element, draw: Draw) => () => void
}

/** The fields in sight when a form opens, in the order of its layout. */
export function firstFields(layout: LayoutItem[], columns: number): Set<string> | null {
  const codes = codesIn(layout)
  if (codes.length <= SMALL) return null
  return new Set(codes.slice(0, Math.ceil(window.innerHeight / ROW) * columns))
}

const later = (work: () => void): (() => void) => {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(work, { timeout: 300 })
    return () => cancelIdleCallback(id)
  }
  const id = setTimeout(work, 30)
  return () => clearTimeout(id)
}

/**
 * The order in which a large form draws its controls: those in sight with the form, those that come near when they do, and all
 * others little by little, so that searching, printing and reading aloud find them soon. `first` are in sight when it opens.
 */
export function createRenderQueue(first: Set<string>) {
  const waiting = new Map<Element, Draw>()
  let near: IntersectionObserver | null = null
  let leave: (() => void) | null = null

  const run = (elements: Element[]) => {
    for (const element of elements) {
      const draw = waiting.get(element)
      near?.unobserve(element)
      waiting.delete(element)
      draw?.()
    }
  }
  const work = () => {
    leave = null
    const end = performance.now() + SLICE
    while (waiting.size > 0 && performance.now() < end) flushSync(() => run([...waiting.keys()].slice(0, FEW)))
    go()
  }
  const go = () => {
    if (waiting.size > 0) leave ??= later(work)
  }
  const all = () => flushSync(() => run([...waiting.keys()]))

  return {
    first: (code: string) => first.has(code),
    wait(element: Element, draw: Draw) {
      near ??= new IntersectionObserver(
        (entries) => run(entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target)),
        { root: scrollerOf(element), rootMargin: '400px 0px' },
      )
      waiting.set(element, draw)
      near.observe(element)
      go()
      return () => {
        near?.unobserve(element)
        waiting.delete(element)
      }
    },
    /** Paper shows all of it. */
    start() {
      window.addEventListener('beforeprint', all)
      return () => {
        window.removeEventListener('beforeprint', all)
        leave?.()
        leave = null
        near?.disconnect()
        near = null
      }
    },
  }
}

/** The turns of one form. */
export function useRenderQueue(layout: LayoutItem[], columns: number): RenderQueue | null {
  const [turns] = useState(() => {
    const first = typeof IntersectionObserver === 'undefined' ? null : firstFields(layout, columns)
    return first && createRenderQueue(first)
  })
  useEffect(() => turns?.start(), [turns])
  return turns
}

/**
 * Whether a field draws its control already. Until then something is in its place: `stand` goes to that, and `now` to
 * what shows that somebody means it. The keyboard goes on into the control when it was there before.
 */
export function useTurn(code: string, asked: boolean) {
  const turns = useContext(RenderQueueContext)
  const [drawn, setDrawn] = useState(() => asked || turns.first(code))
  const place = useRef<HTMLElement>(null)
  const frame = useRef<Element>(null)
  useEffect(
    () => (drawn || !place.current ? undefined : turns.wait(place.current, () => setDrawn(true))),
    [turns, drawn],
  )
  const now = useCallback(() => {
    const active = document.activeElement
    if (active && place.current?.contains(active)) frame.current = place.current.closest('[data-field]')
    setDrawn(true)
  }, [])
  useLayoutEffect(() => {
    if (!drawn || !frame.current) return
    frame.current.querySelector<HTMLElement>('input, textarea, [tabindex], button')?.focus({ preventScroll: true })
    frame.current = null
  }, [drawn])
  return { drawn, stand: place, now }
}
