import { createContext, useContext } from 'react'

/** The cell that a widget is in, for widgets whose text may not be a value yet. */
export interface CellEdit {
  /** The widget took what Enter confirmed: the cell is done. */
  done: () => void
  /** Called when the cell is left for another place; null takes the registration back. */
  onLeave: (leave: (() => void) | null) => void
  /** The typed text is not a value: it stays in the cell, marked. */
  unread: (text: string) => void
}

export const CellEditContext = createContext<CellEdit | null>(null)
export const useCellEdit = () => useContext(CellEditContext)
