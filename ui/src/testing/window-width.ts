import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** A window whose width changes while a page is open: media queries of widths answer by it. */
export function windowOf(width: number) {
  const notes = new Set<() => void>()
  let now = width
  const holds = (query: string) =>
    [...query.matchAll(/\((max|min)-width: (\d+)px\)/g)].every(([, which, px]) =>
      which === 'max' ? now <= Number(px) : now >= Number(px),
    ) && /width/.test(query)
  vi.stubGlobal('matchMedia', (query: string) => ({
    get matches() {
      return holds(query)
    },
    media: query,
    addEventListener: (_: string, note: () => void) => notes.add(note),
    removeEventListener: (_: string, note: () => void) => notes.delete(note),
    addListener: () => {},
    removeListener: () => {},
  }))
  return (next: number) =>
    act(() => {
      now = next
      for (const note of notes) note()
    })
}
