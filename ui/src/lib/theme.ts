import { create } from 'zustand'
import { setOutward } from './appearance'
import { type Appearance, DEFAULT_ACCENT } from './palette'
import { readStored, writeStored } from './stored'

/** What of the installation's theme is seen. */
export interface ThemeLook {
  color: string
  outward: Appearance
}

const KEY = 'theme'
const COLOR = /^#[0-9a-f]{6}$/i

const accept = (value: unknown): value is ThemeLook =>
  typeof value === 'object' && value !== null && 'color' in value && 'outward' in value && COLOR.test(`${value.color}`)

const first: ThemeLook = readStored(KEY, accept) ?? { color: DEFAULT_ACCENT, outward: 'light' }
setOutward(first.outward)

/** The theme of the last visit until the server answers, so that no other color is seen first; shown = one that is tried out. */
export const useTheme = create<{ theme: ThemeLook; shown: ThemeLook | null }>(() => ({ theme: first, shown: null }))

/** Takes over the theme that the server has. */
export function takeTheme({ color, outward }: ThemeLook) {
  if (!COLOR.test(color)) return
  const { theme } = useTheme.getState()
  setOutward(outward)
  if (theme.color === color && theme.outward === outward) return
  useTheme.setState({ theme: { color, outward } })
  writeStored(KEY, { color, outward })
}
