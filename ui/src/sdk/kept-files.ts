import { createStore, del, entries, get, set } from 'idb-keyval'

interface Kept {
  at: number
  files: File[]
}

/** Files that nobody came back for go after this many milliseconds: 30 days. */
const OLD = 30 * 24 * 60 * 60 * 1000

/** Where the browser has no room for files they are there until the page is closed. */
const open = new Map<string, File[]>()

const database = (() => {
  let store: ReturnType<typeof createStore> | null = null
  return () => {
    if (!store) {
      store = createStore('sluice-files', 'kept')
      void sweep().catch(() => {})
    }
    return store
  }
})()

async function sweep() {
  const now = Date.now()
  for (const [id, { at }] of await entries<string, Kept>(database())) if (now - at > OLD) await del(id, database())
}

/** Keeps files in this browser for a record that is not stored yet; false when they are only kept until the page is closed. */
export async function keepFiles(id: string, files: readonly File[]): Promise<boolean> {
  if (files.length === 0) {
    await dropFiles(id)
    return true
  }
  open.set(id, [...files])
  try {
    await set(id, { at: Date.now(), files: [...files] } satisfies Kept, database())
    return true
  } catch {
    return false
  }
}

/** The files that are kept under an id; none after they were sent, dropped or left for 30 days. */
export async function keptFiles(id: string): Promise<File[]> {
  const here = open.get(id)
  if (here) return here
  try {
    return (await get<Kept>(id, database()))?.files ?? []
  } catch {
    return []
  }
}

export async function dropFiles(id: string): Promise<void> {
  open.delete(id)
  await Promise.resolve(del(id, database())).catch(() => {})
}
