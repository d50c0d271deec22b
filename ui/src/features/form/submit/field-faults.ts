import { useCallback, useSyncExternalStore } from 'react'
import { useFormContext } from '../context'
import type { ValueFault } from './field-check'

/** What is wrong with fields that people have left. What they are typing in is judged when they have done so. */
export function makeFieldFaults(check: (code: string) => ValueFault | null, left: Set<string>) {
  const listeners = new Map<string, Set<() => void>>()
  return {
    of(code: string): string | null {
      const fault = check(code)
      return fault && (fault.atOnce || left.has(code)) ? fault.message : null
    },
    leave(code: string) {
      if (left.has(code)) return
      left.add(code)
      for (const listener of listeners.get(code) ?? []) listener()
    },
    subscribe(code: string, listener: () => void) {
      const set = listeners.get(code) ?? new Set()
      listeners.set(code, set.add(listener))
      return () => void set.delete(listener)
    },
  }
}

export type FieldFaults = ReturnType<typeof makeFieldFaults>

/** What is wrong with a field's value now, in words. */
export function useFieldFault(code: string): string | null {
  const { store, faults } = useFormContext()
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = [store.subscribe([code], listener), faults.subscribe(code, listener)]
      return () => {
        for (const end of ends) end()
      }
    },
    [store, faults, code],
  )
  return useSyncExternalStore(subscribe, () => faults.of(code))
}
