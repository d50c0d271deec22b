import { serverBack } from './server-away'

/** After this long a part of the application that does not come counts as failed. */
export const CHUNK_TIMEOUT = 120_000

const RELOADED = 'chunk-reloaded'
/** A second failure within this time is not answered by another reload. */
const AGAIN = 300_000

export class ChunkLoadError extends Error {
  override name = 'ChunkLoadError'
}

/**
 * A part that did not come is most often one of a version that was replaced: the page is loaded again, once. False when that
 * has been tried already.
 */
export function reloadOnce(now = Date.now(), reload = () => window.location.reload()): boolean {
  try {
    if (now - Number(sessionStorage.getItem(RELOADED) ?? 0) < AGAIN) return false
    sessionStorage.setItem(RELOADED, String(now))
  } catch {
    return false // nothing remembers that it was done: once too few is better than forever
  }
  reload()
  return true
}

/**
 * Loads a part of the application. The build puts it around each `import()` of ours (scripts/late-parts.mjs). While the server is away, or
 * being started, the part is waited for. One that a server in good health does not have is of another version: the page is loaded
 * again, and the promise never ends, so nothing is said meanwhile.
 */
export async function loadChunk<T>(
  load: () => Promise<T>,
  retry: () => boolean = reloadOnce,
  waited: () => Promise<boolean> = serverBack,
): Promise<T> {
  for (let left = 2; ; ) {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        left = 0
        reject(new Error('timeout'))
      }, CHUNK_TIMEOUT)
    })
    try {
      return await Promise.race([load(), late])
    } catch (cause) {
      left-- // the server may have come back before it is asked
      if (await waited()) left = 1
      if (left > 0) continue
      if (retry()) return await new Promise<T>(() => {})
      throw new ChunkLoadError(cause instanceof Error ? cause.message : '', { cause })
    } finally {
      clearTimeout(timer)
    }
  }
}
