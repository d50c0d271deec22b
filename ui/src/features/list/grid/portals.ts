import { type ReactNode, type ReactPortal, useSyncExternalStore } from 'react'
import { createPortal, flushSync } from 'react-dom'

/** Components of ours that stand in elements which the grid made. They belong to the tree of the person who draws `usePortals`. */
export class Portals {
  private readonly open = new Map<Element, ReactPortal>()
  private readonly keys = new WeakMap<Element, string>()
  private readonly listeners = new Set<() => void>()
  private shown: ReactPortal[] = []
  private count = 0
  private waiting = false

  put(at: Element, node: ReactNode) {
    const key = this.keys.get(at) ?? `${++this.count}`
    this.keys.set(at, key)
    this.open.set(at, createPortal(node, at, key))
    this.draw()
  }

  remove(at: Element) {
    if (this.open.delete(at)) this.draw()
  }

  /** Draws now what was put; else it is drawn before the frame that shows the grid's own work. */
  flush() {
    this.waiting = false
    this.shown = [...this.open.values()]
    flushSync(() => {
      for (const listener of this.listeners) listener()
    })
  }

  private draw() {
    if (this.waiting) return
    this.waiting = true
    queueMicrotask(() => this.waiting && this.flush())
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  readonly snapshot = () => this.shown
}

export const usePortals = (portals: Portals) => useSyncExternalStore(portals.subscribe, portals.snapshot)
