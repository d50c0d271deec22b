import { useCallback, useSyncExternalStore } from 'react'
import type { Values } from './values'

/**
 * The values of an open form as its fields see them. A field listens to its own value, so that typing draws one field and
 * not the form.
 */
export function makeValueStore(start: Values) {
  let values = start
  const listeners = new Map<string, Set<() => void>>()
  /** How often each value has changed. */
  const counts = new Map<string, number>()
  return {
    all: () => values,
    get: (code: string) => values[code],
    /** Changes of some fields, as one number. */
    stamp: (codes: string[]) => codes.reduce((sum, code) => sum + (counts.get(code) ?? 0), 0),
    publish(next: Values) {
      if (next === values) return
      const old = values
      values = next
      const told = new Set<() => void>()
      for (const code of new Set([...Object.keys(old), ...Object.keys(next)])) {
        if (old[code] === next[code]) continue
        counts.set(code, (counts.get(code) ?? 0) + 1)
        for (const listener of listeners.get(code) ?? []) told.add(listener)
      }
      for (const listener of told) listener()
    },
    subscribe(codes: string[], listener: () => void) {
      for (const code of codes) {
        const set = listeners.get(code) ?? new Set()
        listeners.set(code, set.add(listener))
      }
      return () => {
        for (const code of codes) listeners.get(code)?.delete(listener)
      }
    },
  }
}

export type ValueStore = ReturnType<typeof makeValueStore>

/** A field's value; the component is drawn again when it or one of `others`, which its choices depend on, changes. */
export function useValue(store: ValueStore, code: string, others: string[]): unknown {
  const key = [code, ...others].join(';')
  const subscribe = useCallback((listener: () => void) => store.subscribe(key.split(';'), listener), [store, key])
  useSyncExternalStore(subscribe, () => store.stamp(key.split(';')))
  return store.get(code)
}
