/** Reads what we stored in the browser; anything unreadable or of another shape counts as missing. */
export function readStored<T>(key: string, accept: (value: unknown) => value is T): T | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return accept(value) ? value : null
  } catch {
    return null
  }
}

export function writeStored(key: string, value: unknown) {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // A full or forbidden storage only costs the memory of a width.
  }
}
