import { useEffect } from 'react'

/** Names of what is on the screen, the uppermost last: a record over its list comes after the list. */
const open: { name: string }[] = []
/** Where the page is: its application, then the product. */
let place: string[] = []

function write() {
  const parts = [open.at(-1)?.name, ...place].filter((part): part is string => Boolean(part))
  if (parts.length > 0) document.title = [...new Set(parts)].join(' - ')
}

/** Names the page in its browser tab while the component is there; null = not known yet. */
export function usePageTitle(name: string | null | undefined) {
  useEffect(() => {
    if (!name) return
    const own = { name }
    open.push(own)
    write()
    return () => {
      open.splice(open.indexOf(own), 1)
      write()
    }
  }, [name])
}

/** What follows the name of every page. */
export function usePlaceTitle(...parts: (string | null | undefined)[]) {
  const all = parts.filter((part): part is string => Boolean(part))
  const key = all.join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parts are in the key
  useEffect(() => {
    place = all
    write()
  }, [key])
}
