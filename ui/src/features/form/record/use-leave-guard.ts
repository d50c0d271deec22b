import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'

/** The forms on the screen, the uppermost last, and whether leaving each loses something. */
const guards: { loses: () => boolean }[] = []

/**
 * Unsaved input is not lost by Back, Esc, a link or a closed tab: the browser asks before the page goes, we ask before
 * another one comes. The router asks one form only, the uppermost, which therefore answers for those below it as well.
 * Returns how to leave without being asked again, and how to say that nothing is lost any more.
 */
export function useLeaveGuard(unsaved: boolean, ask: (leave: () => void, stay: () => void) => void) {
  const agreed = useRef(false)
  const latest = useRef({ ask, unsaved })
  latest.current = { ask, unsaved }
  useEffect(() => {
    const own = { loses: () => latest.current.unsaved && !agreed.current }
    guards.push(own)
    return () => {
      guards.splice(guards.indexOf(own), 1)
    }
  }, [])
  const blocker = useBlocker(
    ({ nextLocation }) => nextLocation.pathname !== '/login' && guards.some((guard) => guard.loses()),
  )
  useEffect(() => {
    if (blocker.state === 'blocked') latest.current.ask(blocker.proceed, blocker.reset)
  }, [blocker])
  useEffect(() => {
    if (!unsaved) return
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', hold)
    return () => window.removeEventListener('beforeunload', hold)
  }, [unsaved])
  return {
    agree: () => {
      agreed.current = true
    },
    /** All of it is kept by now, also before that is drawn. */
    kept: () => {
      latest.current.unsaved = false
    },
  }
}
