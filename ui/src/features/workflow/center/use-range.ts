import { useRef } from 'react'

/**
 * Ticks of a list with ranges: with Shift everything between the row that was ticked last and this one follows it. ids are the rows that can be
 * ticked, in their order.
 */
export function useRange(ids: readonly string[], onTick: (ids: string[], on: boolean) => void) {
  const last = useRef<string | null>(null)
  return (id: string, on: boolean, range: boolean) => {
    const [from, to] = [last.current === null ? -1 : ids.indexOf(last.current), ids.indexOf(id)]
    last.current = id
    if (!range || from < 0 || to < 0) return onTick([id], on)
    onTick(ids.slice(Math.min(from, to), Math.max(from, to) + 1), on)
  }
}

/** Whether Shift was held while a box was pressed, by mouse or by Space. */
export const withShift = ({ nativeEvent }: { nativeEvent: object }) =>
  'shiftKey' in nativeEvent && nativeEvent.shiftKey === true
