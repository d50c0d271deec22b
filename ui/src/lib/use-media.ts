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
    () => false, // what is drawn to text
  )
}

export const PHONE = '(max-width: 719px)'

/** Tablets, halves of a screen, and screens at 200 %: the menu is a drawer, the filters are behind one button. */
export const NARROW = '(max-width: 1023px)'

/** There is no room for tables of many columns beside a menu: each row is a card. */
export const CARDS = '(max-width: 1199px)'

export const useIsNarrow = () => useMedia(NARROW)

export const useIsPhone = () => useMedia(PHONE)

/** A phone that is used with fingers: a narrow window with a mouse has a keyboard beside it. */
export const useIsTouchPhone = () => useMedia(`${PHONE} and (pointer: coarse)`)

export const useHasCards = () => useMedia(CARDS)
