import { useCallback, useMemo, useReducer } from 'react'

/** What was before, what is, and what was undone. */
interface Steps<T> {
  past: T[]
  now: T
  future: T[]
  /** Names what is being changed: several changes of it within a moment are one step. */
  of: string | null
  at: number
}

type Step<T> =
  | { do: 'set'; value: T; of: string | null; at: number }
  | { do: 'undo' | 'redo' }
  | { do: 'reset'; value: T }

const MOST = 200
const MOMENT = 1200

export function step<T>(state: Steps<T>, action: Step<T>): Steps<T> {
  switch (action.do) {
    case 'reset':
      return { past: [], now: action.value, future: [], of: null, at: 0 }
    case 'set': {
      if (action.value === state.now) return state
      const same = action.of !== null && action.of === state.of && action.at - state.at < MOMENT
      const past = same ? state.past : [...state.past, state.now].slice(-MOST)
      return { past, now: action.value, future: [], of: action.of, at: action.at }
    }
    case 'undo': {
      const before = state.past.at(-1)
      if (before === undefined) return state
      return { past: state.past.slice(0, -1), now: before, future: [state.now, ...state.future], of: null, at: 0 }
    }
    case 'redo': {
      const [next, ...future] = state.future
      if (next === undefined) return state
      return { past: [...state.past, state.now], now: next, future, of: null, at: 0 }
    }
  }
}

/** A value whose changes can be undone. */
export function useHistory<T>(first: T) {
  const [state, dispatch] = useReducer(step<T>, { past: [], now: first, future: [], of: null, at: 0 } as Steps<T>)
  const set = useCallback(
    (value: T, of: string | null = null) => dispatch({ do: 'set', value, of, at: Date.now() }),
    [],
  )
  const undo = useCallback(() => dispatch({ do: 'undo' }), [])
  const redo = useCallback(() => dispatch({ do: 'redo' }), [])
  const reset = useCallback((value: T) => dispatch({ do: 'reset', value }), [])
  return useMemo(
    () => ({
      now: state.now,
      canUndo: state.past.length > 0,
      canRedo: state.future.length > 0,
      set,
      undo,
      redo,
      reset,
    }),
    [state, set, undo, redo, reset],
  )
}
