import { create } from 'zustand'
import type { Appearance } from './palette'

export type AppearanceChoice = Appearance | 'system'

const KEY = 'appearance'
const dark = window.matchMedia('(prefers-color-scheme: dark)')

/** What the installation's theme is for those who chose nothing: light leaves it to their system. */
let outward: Appearance = 'light'

/** Paper is light. */
const paper = window.matchMedia('print')

const resolve = (choice: AppearanceChoice): Appearance => {
  if (paper.matches) return 'light'
  if (choice !== 'system') return choice
  return dark.matches || (outward === 'dark' && localStorage.getItem(KEY) === null) ? 'dark' : 'light'
}

function stored(): AppearanceChoice {
  const value = localStorage.getItem(KEY)
  return value === 'light' || value === 'dark' ? value : 'system'
}

interface AppearanceState {
  choice: AppearanceChoice
  appearance: Appearance
  choose: (choice: AppearanceChoice) => void
}

/** Light or dark: the person's choice, else what the system prefers. */
export const useAppearance = create<AppearanceState>((set) => ({
  choice: stored(),
  appearance: resolve(stored()),
  choose: (choice) => {
    localStorage.setItem(KEY, choice)
    set({ choice, appearance: resolve(choice) })
  },
}))

/** Whether the page is dark: for what style sheets do not reach, as scenes in space. */
export const useIsDark = () => useAppearance((state) => state.appearance === 'dark')

const again = () => useAppearance.setState(({ choice }) => ({ appearance: resolve(choice) }))

dark.addEventListener('change', again)
paper.addEventListener('change', again)

/** Sets what the theme of the installation is outward. A person's own choice stays. */
export function setOutward(next: Appearance) {
  if (next === outward) return
  outward = next
  again()
}
