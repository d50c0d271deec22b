import { mix, readable } from './colour'

export type Appearance = 'light' | 'dark'

export const DEFAULT_ACCENT = '#00adfc'

const light = {
  text: '#1b2430',
  secondary: '#5b6675',
  faint: '#98a2b0',
  page: '#f6f7f9',
  surface: '#ffffff',
  raised: '#ffffff',
  line: '#e6e9ee',
  hover: '#f2f4f7',
  good: '#3fa45b',
  warn: '#d9932b',
  bad: '#d9534f',
  shadow: '0 8px 28px rgb(20 30 45 / 14%), 0 1px 4px rgb(20 30 45 / 8%)',
}

const dark: typeof light = {
  text: '#e8ecf1',
  secondary: '#a3adba',
  faint: '#6b7684',
  page: '#14171c',
  surface: '#1b1f26',
  raised: '#222731',
  line: '#2c323d',
  hover: '#232831',
  good: '#5cb978',
  warn: '#dba445',
  bad: '#e0706b',
  shadow: '0 8px 28px rgb(0 0 0 / 48%), 0 1px 4px rgb(0 0 0 / 36%)',
}

/** All colours of an appearance. Steps of the accent are derived, so that each theme colour stays readable. */
export function palette(appearance: Appearance, accent = DEFAULT_ACCENT) {
  const base = appearance === 'light' ? light : dark
  const isLight = appearance === 'light'
  const mark = isLight ? accent : readable(mix(accent, '#ffffff', 0.12), [base.surface, base.raised], 3)
  const accentSoft = mix(mark, base.surface, isLight ? 0.9 : 0.87)
  const warnSoft = mix(base.warn, base.surface, 0.84)
  /** Where texts stand: pages, tables, what floats, and rows that are pointed at or chosen. */
  const grounds = [base.surface, base.page, base.raised, base.hover, accentSoft]
  const accentFill = readable(mark, isLight ? '#ffffff' : '#06222f', 4.6)
  const badText = readable(base.bad, grounds)
  /** A fill that is pointed at or pressed moves away from its text. */
  const away = (fill: string, by: number) => mix(fill, isLight ? '#000000' : '#ffffff', by)
  return {
    ...base,
    accent: mark,
    /** Links, and texts in the accent colour. */
    accentText: readable(mark, grounds, isLight ? 4.6 : 5.5),
    /** The ring around what has the focus. */
    focus: readable(mark, grounds, 3),
    /** The border of what people type into. */
    control: readable(base.faint, [base.surface, base.page, base.raised], 3),
    /** The ground of a primary button and what is on it. */
    accentFill,
    accentHover: away(accentFill, 0.1),
    accentPressed: away(accentFill, 0.2),
    onAccent: isLight ? '#ffffff' : '#06222f',
    accentSoft,
    warnSoft,
    /** Placeholders, row numbers, what is empty: faint, and still readable. */
    faintText: readable(base.faint, grounds),
    goodText: readable(base.good, grounds),
    warnText: readable(base.warn, [...grounds, warnSoft]),
    badText,
    badHover: away(badText, 0.1),
    badPressed: away(badText, 0.2),
    onBad: isLight ? '#ffffff' : '#2b0f0e',
  }
}

export type Palette = ReturnType<typeof palette>

const kebab = (key: string) => key.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)

/** The palette as custom properties; style sheets name colours only by them. */
export function applyPalette(colours: Palette, appearance: Appearance, root: HTMLElement = document.documentElement) {
  for (const [key, value] of Object.entries(colours)) root.style.setProperty(`--${kebab(key)}`, value)
  root.style.colorScheme = appearance
  root.dataset.appearance = appearance
}
