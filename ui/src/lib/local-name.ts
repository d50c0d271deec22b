export type Locale = 'zh' | 'en'

export interface Named {
  name: string
  name_i18n?: Record<string, string> | null
}

/** The name of a definition in a language; Chinese is the base text, other languages fall back to it. */
export function localName(named: Named, locale: Locale): string {
  return named.name_i18n?.[locale] || named.name
}
