import { useSyncExternalStore } from 'react'

/** How often a server that does not answer is asked again, in milliseconds. */
export const ASK_EVERY = 1500
/** An answer that takes longer is none. */
const PATIENCE = 10_000

let back: Promise<void> | null = null
const listeners = new Set<() => void>()

function tell(next: Promise<void> | null) {
  back = next
  for (const listener of [...listeners]) listener()
}

/** A proxy answers for a server that is being started. Any other answer, also of a development server that has no such address, is one. */
const answers = () =>
  fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE) }).then(
    ({ status }) => ![502, 503, 504].includes(status),
    () => false,
  )

/** Waits until the server answers. Tells whether it had to wait; many may wait, and one asks. */
export async function serverBack(): Promise<boolean> {
  if (!back) {
    if (await answers()) return false
    if (!back)
      tell(
        (async () => {
          do await new Promise((resume) => setTimeout(resume, ASK_EVERY))
          while (!(await answers()))
          tell(null)
        })(),
      )
  }
  await back
  return true
}

/** Whether somebody waits for the server. */
export const useServerAway = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => back !== null,
  )
