import { createContext, useContext } from 'react'
import { createStore, useStore } from 'zustand'
import type { CellInput, FailedRow } from './api'
import { type CellPlace, type Edits, edit, errorOf, inputOf, keyOf } from './correction'

export interface Editing {
  place: CellPlace
  /** What was typed on the cell before its control was there: it begins the text. */
  text?: string
  /** Enter was pressed before the control was there: with the text the cell is done. */
  enter?: boolean
  /** What the cell held before. */
  before: CellInput | undefined
}

interface State {
  edits: Edits
  editing: Editing | null
  put: (changes: { place: CellPlace; input: CellInput }[]) => void
  /** Takes a correction back. */
  restore: (place: CellPlace, before: CellInput | undefined) => void
  open: (place: CellPlace, text?: string) => void
  close: () => void
  /** Forgets what the server has stored, unless it was changed since. */
  stored: (sent: Edits) => void
}

export const samePlace = (a: CellPlace | undefined, b: CellPlace) => a !== undefined && keyOf(a) === keyOf(b)

export const createCorrections = () =>
  createStore<State>((set) => ({
    edits: new Map(),
    editing: null,
    put: (changes) => set(({ edits }) => ({ edits: edit(edits, changes) })),
    restore: (place, before) =>
      set(({ edits }) => {
        if (before !== undefined) return { edits: edit(edits, [{ place, input: before }]) }
        const next = new Map(edits)
        next.delete(keyOf(place))
        return { edits: next }
      }),
    open: (place, text) =>
      set(({ edits, editing }) => {
        if (!editing || !samePlace(editing.place, place)) {
          const before = edits.get(keyOf(place))?.input
          return { editing: { place, before, ...(text ? { text } : {}) } }
        }
        // Its control has not arrived yet: what is typed meanwhile is one text, and Enter ends it.
        if (text === undefined) return { editing: editing.text ? { ...editing, enter: true } : editing }
        return { editing: editing.enter ? editing : { ...editing, text: (editing.text ?? '') + text } }
      }),
    close: () => set({ editing: null }),
    stored: (sent) =>
      set(({ edits }) => ({ edits: new Map([...edits].filter(([at, { input }]) => sent.get(at)?.input !== input)) })),
  }))

export type Corrections = ReturnType<typeof createCorrections>

export const CorrectionsContext = createContext<Corrections | null>(null)

export function useCorrections(): Corrections {
  const store = useContext(CorrectionsContext)
  if (!store) throw new Error('no corrections are kept here')
  return store
}

/** A cell as it is now. */
export function useCell(row: FailedRow, place: CellPlace) {
  const store = useCorrections()
  const input = useStore(store, ({ edits }) => inputOf(row, place, edits))
  const error = useStore(store, ({ edits }) => errorOf(row, place, edits))
  const editing = useStore(store, (state) => (samePlace(state.editing?.place, place) ? state.editing : null))
  const touched = useStore(store, ({ edits }) => edits.has(keyOf(place)))
  return { store, input, error, editing, touched }
}
