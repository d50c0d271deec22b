import { useSyncExternalStore } from 'react'

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (notify) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', notify)
      return () => list.removeEventListener('change', notify)
    },
    () => window.matchMedia(query).matches,
  )
}

export const PHONE = '(max-width: 719px)'

/** Tablets, halves of a screen, and screens at 200 %: the menu is a drawer, the filters are behind one button. */
export const NARROW = '(max-width: 1023px)'

export const useIsNarrow = () => useMedia(NARROW)

export const useIsPhone = () => useMedia(PHONE)
