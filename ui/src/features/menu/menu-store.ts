import { create } from 'zustand'
import { readStored, writeStored } from '@/lib/stored'

const KEY = 'side_menu'
export const MIN_WIDTH = 200

interface Stored {
  width: number
  collapsed: boolean
  closed: string[]
}

const accept = (value: unknown): value is Stored =>
  typeof value === 'object' &&
  value !== null &&
  'width' in value &&
  typeof value.width === 'number' &&
  'closed' in value &&
  Array.isArray(value.closed)

interface MenuState extends Stored {
  /** Whether the menu is open over a page that has no room beside it. */
  over: boolean
  setOver: (over: boolean) => void
  resize: (width: number) => void
  toggle: () => void
  toggleFolder: (id: string) => void
}

/** At least 200 px, at most a third of the window. */
export const limitWidth = (width: number, windowWidth: number) =>
  Math.round(Math.max(MIN_WIDTH, Math.min(width, windowWidth / 3)))

export const useMenuStore = create<MenuState>((set) => ({
  ...(readStored(KEY, accept) ?? { width: 220, collapsed: false, closed: [] }),
  over: false,
  setOver: (over) => set({ over }),
  resize: (width) => set({ width: limitWidth(width, window.innerWidth) }),
  toggle: () => set((s) => ({ collapsed: !s.collapsed })),
  toggleFolder: (id) =>
    set((s) => ({ closed: s.closed.includes(id) ? s.closed.filter((x) => x !== id) : [...s.closed, id] })),
}))

useMenuStore.subscribe(({ width, collapsed, closed }) => writeStored(KEY, { width, collapsed, closed }))
