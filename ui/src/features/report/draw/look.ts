import { mix, readable } from '@/lib/colour'

/** The colors and the font of the page, as charts need them. */
export interface Look {
  text: string
  secondary: string
  line: string
  surface: string
  raised: string
  accent: string
  good: string
  bad: string
  font: string
  /** What series have, in order; each can be told from the ground. */
  series: string[]
}

/** Hues that are told apart also by those who do not see red and green. */
const HUES = ['#e39a2d', '#4c6fd1', '#3fa45b', '#c65b8c', '#8a63c9', '#2f9e9e', '#b5763a', '#7d8a9a', '#d9534f']

/** Reads the properties of the style sheets, which follow the theme and light and dark. */
export function lookOf(root: HTMLElement): Look {
  const style = getComputedStyle(root)
  const read = (name: string, otherwise: string) => style.getPropertyValue(`--${name}`).trim() || otherwise
  const surface = read('surface', '#ffffff')
  const accent = read('accent', '#00adfc')
  const seen = (color: string) => readable(color, surface, 3)
  const hues = [accent, ...HUES].map(seen)
  return {
    text: read('text', '#1b2430'),
    secondary: read('secondary', '#5b6675'),
    line: read('line', '#e6e9ee'),
    surface,
    raised: read('raised', '#ffffff'),
    accent: seen(accent),
    good: seen(read('good', '#3fa45b')),
    bad: seen(read('bad', '#d9534f')),
    font: read('font', 'sans-serif'),
    series: [...hues, ...hues.map((hue) => seen(mix(hue, read('text', '#1b2430'), 0.35)))],
  }
}
