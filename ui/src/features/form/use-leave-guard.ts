import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'

/**
 * Unsaved input is not lost by Back, Esc, a link or a closed tab: the browser asks before the page goes, we ask before
 * another one comes. Returns how to leave without being asked again.
 */
export function useLeaveGuard(unsaved: boolean, ask: (leave: () => void, stay: () => void) => void) {
  const agreed = useRef(false)
  const latest = useRef(ask)
  latest.current = ask
  const blocker = useBlocker(({ nextLocation }) => unsaved && !agreed.current && nextLocation.pathname !== '/login')
  useEffect(() => {
    if (blocker.state === 'blocked') latest.current(blocker.proceed, blocker.reset)
  }, [blocker])
  useEffect(() => {
    if (!unsaved) return
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', hold)
    return () => window.removeEventListener('beforeunload', hold)
  }, [unsaved])
  return () => {
    agreed.current = true
  }
}
