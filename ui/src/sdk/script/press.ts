import { scriptError } from './faults'
import type { RunInfo } from './host'

/**
 * A person's own press on a button. The page makes one when a button is pressed and gives it to the hooks that run about it; what a
 * script calls from such a hook may write. Hooks that run by themselves have none, and nothing is written for them.
 */
export interface Press {
  /** What the script has written about it so far. */
  writes: number
}

/** Writes of a script about one press: a hook that saves what calls it would never end. */
const WRITES = 20

export const newPress = (): Press => ({ writes: 0 })

/** The press that a call writes about; without one the call is refused. */
export function pressOf({ press }: RunInfo, method: string): Press {
  if (!press) throw scriptError('execution', `${method}: only when a button was pressed`)
  press.writes += 1
  if (press.writes > WRITES) throw scriptError('execution', `${method}: more than ${WRITES} times a press`)
  return press
}
