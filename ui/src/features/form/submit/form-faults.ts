import { useCallback, useEffect, useState } from 'react'
import type { RecordController } from '../record/use-record'

/** What is wrong with a field, as the form's own check says it. */
export interface ShownIssue {
  code: string
  message: string
}

const NONE: ShownIssue[] = []

/** How many fields stand in the way of a save: by the form's own check, by what the server and the script said. */
export const faultyFields = (found: ShownIssue[], said: RecordController['extraErrors']): number =>
  new Set([...found.map(({ code }) => code), ...Object.keys(said)]).size

const same = (a: ShownIssue[], b: ShownIssue[]) =>
  a.length === b.length && a.every(({ code, message }, i) => code === b[i]?.code && message === b[i]?.message)

/** What the form's own check finds, from the first save that it refused on: it follows what is typed. */
export function useFormFaults(editing: boolean) {
  const [found, setFound] = useState(NONE)
  const note = useCallback((next: ShownIssue[]) => setFound((old) => (same(old, next) ? old : next)), [])
  // Anyone who begins to edit again has not been refused anything.
  useEffect(() => {
    if (!editing) note(NONE)
  }, [editing, note])
  return { found, note }
}
