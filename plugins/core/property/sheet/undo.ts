import type { Selection } from './range'
import type { SheetRow } from './rows'

/** The rows at one moment, and what was selected. */
export interface Moment {
  rows: SheetRow[]
  selection: Selection
}

/** Rows share what did not change, so a hundred moments cost little. */
const MOST = 100

/** The changes of one grid, forwards and backwards. */
export function makeUndo() {
  let past: Moment[] = []
  let future: Moment[] = []
  const step = (from: Moment[], to: Moment[], now: Moment) => {
    const moment = from.pop()
    if (moment) to.push(now)
    return moment ?? null
  }
  return {
    /** Notes how it was before a change. */
    note(before: Moment) {
      past = [...past.slice(1 - MOST), before]
      future = []
    },
    back: (now: Moment) => step(past, future, now),
    forth: (now: Moment) => step(future, past, now),
    /** The moment before a change that is given up, as if it had never been made. */
    giveUp: () => past.pop() ?? null,
    clear() {
      past = []
      future = []
    },
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
  }
}

export type Undo = ReturnType<typeof makeUndo>
