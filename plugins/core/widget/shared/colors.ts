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

/** The color of each row by a property with options: that of the option, else one for each word. Null = of none. */
export function colorsOf(data: PortalRows, field: string | undefined): (RowColor | null)[] {
  const at = data.columns.findIndex(({ propertyCode }) => propertyCode === field)
  const options = data.columns[at]?.options ?? []
  const words = [...new Set(data.rows.map(({ texts }) => texts[at] ?? ''))].filter(Boolean).sort()
  return data.rows.map(({ texts, values }) => {
    const text = texts[at] ?? ''
    if (at < 0 || text === '') return null
    const own = options.find(({ code }) => code === codeOf(values[at]))?.color
    const color = own ? (NAMED[own] ?? (/^#[0-9a-f]{6}$/i.test(own) ? own : null)) : null
    return { text, color: color ?? HUES[words.indexOf(text) % HUES.length] ?? '#7d8a9a' }
  })
}
