import { createContext, useCallback, useContext, useEffect, useId, useMemo, useRef, useState } from 'react'

type Hold = (id: string, count: number) => void

/** How a field tells its form that something is on its way which the form's values do not hold yet. */
export const FormHoldContext = createContext<Hold>(() => {})

/** A field says how many things (uploads) are on their way; the form is not saved before they have come. */
export function useFormHold(count: number) {
  const hold = useContext(FormHoldContext)
  const id = useId()
  useEffect(() => {
    hold(id, count)
    return () => hold(id, 0)
  }, [hold, id, count])
}

/** The form's side: how many things it waits for, all fields together. */
export function useHolds() {
  const counts = useRef(new Map<string, number>())
  const [waiting, setWaiting] = useState(0)
  const hold = useCallback<Hold>((id, count) => {
    if (count > 0) counts.current.set(id, count)
    else counts.current.delete(id)
    setWaiting([...counts.current.values()].reduce((sum, one) => sum + one, 0))
  }, [])
  return useMemo(() => ({ waiting, hold }), [waiting, hold])
}
