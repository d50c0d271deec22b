import { createContext, useCallback, useContext, useEffect, useId, useMemo, useRef, useState } from 'react'

/** What a form's values do not hold yet: things on their way, and such as did not arrive and wait for their person. */
interface Held {
  waiting: number
  failed: number
}
type Hold = (id: string, held: Held) => void

const NOTHING: Held = { waiting: 0, failed: 0 }

/** How a field tells its form what it holds. */
export const FormHoldContext = createContext<Hold>(() => {})

/**
 * A field says how many things (uploads) are on their way, and how many failed; the form is not saved before the ones have come and
 * the others were sent again or taken away.
 */
export function useFormHold(waiting: number, failed = 0) {
  const hold = useContext(FormHoldContext)
  const id = useId()
  useEffect(() => {
    hold(id, { waiting, failed })
    return () => hold(id, NOTHING)
  }, [hold, id, waiting, failed])
}

/** The form's side: how many things it waits for and how many failed, all fields together. */
export function useHolds() {
  const fields = useRef(new Map<string, Held>())
  const [sum, setSum] = useState(NOTHING)
  const hold = useCallback<Hold>((id, held) => {
    if (held.waiting + held.failed > 0) fields.current.set(id, held)
    else fields.current.delete(id)
    const all = [...fields.current.values()]
    const next = {
      waiting: all.reduce((n, one) => n + one.waiting, 0),
      failed: all.reduce((n, one) => n + one.failed, 0),
    }
    setSum((now) => (now.waiting === next.waiting && now.failed === next.failed ? now : next))
  }, [])
  return useMemo(() => ({ ...sum, hold }), [sum, hold])
}
