import { createContext, useContext } from 'react'

/** The cell that a widget is in, for widgets whose text may not be a value yet. */
export interface CellEdit {
  /** The widget took what Enter confirmed: the cell is done. */
  done: () => void
  /** Called when the cell is left for another place; null takes the registration back. */
  onLeave: (leave: (() => void) | null) => void
  /** The typed text is not a value: it stays in the cell, marked. An empty text takes such a mark away. */
  unread: (text: string) => void
  /** It isn't known yet what a text finds that was confirmed: the widget stays until then, wherever the keyboard goes. */
  asking: (on: boolean) => void
}

export const CellEditContext = createContext<CellEdit | null>(null)
export const useCellEdit = () => useContext(CellEditContext)
