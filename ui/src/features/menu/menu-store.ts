import { create } from 'zustand'
import { readStored, writeStored } from '@/lib/stored'

const KEY = 'side_menu'
/** The narrowest menu: of workflows, and of an application. In pixels. */
export const MIN_WIDTH = { workflow: 200, application: 250 } as const
/** What the menu takes when it is collapsed: the icons of workflows, nothing in an application. */
export const COLLAPSED_WIDTH = { workflow: 64, application: 0 } as const
export type MenuMode = keyof typeof MIN_WIDTH
/** A menu that was just collapsed opens after this time and not before: the second press of a double click does nothing. In milliseconds. */
export const EXPAND_DELAY = 280

interface Stored {
  width: number
  /** That of the menu of workflows. */
  workflowWidth?: number
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
  resize: (width: number, mode?: MenuMode) => void
  toggle: () => void
  toggleFolder: (id: string) => void
  openFolders: (ids: string[]) => void
}

/** At least the least of its mode, at most a third of the window. */
export const limitWidth = (width: number, windowWidth: number, mode: MenuMode = 'application') =>
  Math.round(Math.max(MIN_WIDTH[mode], Math.min(width, windowWidth / 3)))

let collapsedAt = Number.NEGATIVE_INFINITY

export const useMenuStore = create<MenuState>((set) => ({
  ...(readStored(KEY, accept) ?? { width: MIN_WIDTH.application, collapsed: false, closed: [] }),
  over: false,
  setOver: (over) => set({ over }),
  resize: (wanted, mode = 'application') => {
    const width = limitWidth(wanted, window.innerWidth, mode)
    set(mode === 'workflow' ? { workflowWidth: width } : { width })
  },
  toggle: () =>
    set(({ collapsed }) => {
      const now = performance.now()
      if (collapsed && now - collapsedAt < EXPAND_DELAY) return {}
      if (!collapsed) collapsedAt = now
      return { collapsed: !collapsed }
    }),
  openFolders: (ids) =>
    set(({ closed }) =>
      closed.some((id) => ids.includes(id)) ? { closed: closed.filter((id) => !ids.includes(id)) } : {},
    ),
  toggleFolder: (id) =>
    set((s) => ({ closed: s.closed.includes(id) ? s.closed.filter((x) => x !== id) : [...s.closed, id] })),
}))

useMenuStore.subscribe(({ width, workflowWidth, collapsed, closed }) =>
  writeStored(KEY, { width, ...(workflowWidth ? { workflowWidth } : {}), collapsed, closed }),
)
