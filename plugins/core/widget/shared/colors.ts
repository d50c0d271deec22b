import type { PortalRows } from '@sluice/sdk'

/** Hues that are told apart also by those who do not see red and green. */
const HUES = ['#3b82d6', '#e39a2d', '#3fa45b', '#c65b8c', '#8a63c9', '#2f9e9e', '#b5763a', '#7d8a9a']

const NAMED: Record<string, string> = {
  green: '#3fa45b',
  red: '#d9534f',
  orange: '#e0803a',
  gold: '#d1a126',
  blue: '#3b82d6',
  cyan: '#2aa5a5',
  purple: '#8a63d2',
  volcano: '#d9663a',
  magenta: '#c94f8f',
  lime: '#8aaf2b',
  geekblue: '#5068d6',
  gray: '#98a2b0',
  grey: '#98a2b0',
  yellow: '#c9a800',
}

export interface RowColor {
  text: string
  color: string
}

const codeOf = (value: unknown): string => {
  if (Array.isArray(value)) return codeOf(value[0])
  if (typeof value === 'object' && value !== null) {
    const { code, id } = value as { code?: unknown; id?: unknown }
    return String(code ?? id ?? '')
  }
  return value === null || value === undefined ? '' : String(value)
}

/** The color that an option has by its document; null where it has none. */
const ownColor = (color: string | null | undefined) =>
  color ? (NAMED[color] ?? (/^#[0-9a-f]{6}$/i.test(color) ? color : null)) : null

/**
 * The color of each row by a property with options: that of the option, else one for each value, in the order of the options, that no
 * option has. The reader's language changes none. Null = of none.
 */
export function colorsOf(data: PortalRows, field: string | undefined): (RowColor | null)[] {
  const at = data.columns.findIndex(({ propertyCode }) => propertyCode === field)
  if (at < 0) return data.rows.map(() => null)
  const options = data.columns[at]?.options ?? []
  const own = new Map(options.flatMap(({ code, color }) => (ownColor(color) ? [[code, ownColor(color)]] : [])))
  const free = HUES.filter((hue) => ![...own.values()].includes(hue))
  const place = (code: string) => options.findIndex((option) => option.code === code)
  const others = [...new Set(data.rows.map(({ values }) => codeOf(values[at])))]
    .filter((code) => !own.has(code))
    .sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
  return data.rows.map(({ texts, values }) => {
    const text = texts[at] ?? ''
    if (text === '') return null
    const code = codeOf(values[at])
    return { text, color: own.get(code) ?? free[others.indexOf(code) % free.length] ?? '#7d8a9a' }
  })
}
