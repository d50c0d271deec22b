/**
 * Where input that was not saved waits in this browser: one key of localStorage for each form of a person. localStorage and
 * not a database, for a page that is going away has no time to wait for one. A value begins with its time, so that
 * the oldest is found without reading what it holds.
 */
const PREFIX = 'unsent:'
const MOST = 50
const MOST_BYTES = 1 << 20
const MOST_AGE = 30 * 24 * 3600_000

const timeOf = (text: string | null) => Number.parseInt(text ?? '', 10) || 0

function keys(): string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))
}

/** If storage is unavailable or full, nothing is kept and no error is shown. */
function quietly<T>(work: () => T, otherwise: T): T {
  try {
    return work()
  } catch {
    return otherwise
  }
}

function dropOld(now: number) {
  for (const key of keys()) if (now - timeOf(localStorage.getItem(key)) > MOST_AGE) localStorage.removeItem(key)
}

/** The waiting entries but one, oldest first. */
const oldest = (but: string) =>
  keys()
    .filter((key) => key !== but)
    .sort((a, b) => timeOf(localStorage.getItem(a)) - timeOf(localStorage.getItem(b)))

/** The name of a person's entry for a place; the parts may hold anything. */
export const unsentKey = (user: string, place: string[]) => PREFIX + [user, ...place].map(encodeURIComponent).join('/')

export function writeUnsent(key: string, value: unknown, now = Date.now()): boolean {
  return quietly(() => {
    const text = `${now} ${JSON.stringify(value)}`
    if (text.length * 2 > MOST_BYTES) {
      localStorage.removeItem(key) // an older state of it would be taken for this one
      return false
    }
    dropOld(now)
    const others = oldest(key)
    for (const old of others.splice(0, Math.max(0, others.length - (MOST - 1)))) localStorage.removeItem(old)
    for (;;) {
      try {
        localStorage.setItem(key, text)
        return true
      } catch {
        const old = others.shift()
        if (!old) {
          localStorage.removeItem(key)
          return false
        }
        localStorage.removeItem(old) // the newest input is the one that is missed most
      }
    }
  }, false)
}

/** The entry and its time; null when there is none, when it is too old, or when nobody can read it. */
export function readUnsent(key: string, now = Date.now()): { at: number; value: unknown } | null {
  return quietly(() => {
    const text = localStorage.getItem(key)
    const at = timeOf(text)
    if (!text || now - at > MOST_AGE) return null
    return { at, value: JSON.parse(text.slice(text.indexOf(' ') + 1)) as unknown }
  }, null)
}

/** The names of the entries of a place and of those below it. */
export const keysBelow = (place: string): string[] =>
  quietly(() => keys().filter((key) => key === place || key.startsWith(`${place}/`)), [])

export const removeUnsent = (key: string) => quietly(() => localStorage.removeItem(key), undefined)

/** At the end of a session: the next person at this browser finds nothing. With a user, that one's entries stay. */
export function clearUnsent(user?: string) {
  const mine = user === undefined ? null : unsentKey(user, [''])
  quietly(() => {
    for (const key of keys()) if (!mine || !key.startsWith(mine)) localStorage.removeItem(key)
  }, undefined)
}
