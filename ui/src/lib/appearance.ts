import { create } from 'zustand'
import type { Appearance } from './palette'

export type AppearanceChoice = Appearance | 'system'

const KEY = 'appearance'
const dark = window.matchMedia('(prefers-color-scheme: dark)')

const resolve = (choice: AppearanceChoice): Appearance =>
  choice === 'system' ? (dark.matches ? 'dark' : 'light') : choice

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

dark.addEventListener('change', () => {
  const { choice } = useAppearance.getState()
  useAppearance.setState({ appearance: resolve(choice) })
})
