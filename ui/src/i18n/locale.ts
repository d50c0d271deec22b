import { create } from 'zustand'
import type { Locale } from '@/lib/local-name'

const KEY = 'locale'

const known = (text: string | null | undefined): Locale | null => (text === 'zh' || text === 'en' ? text : null)

/**
 * The language of somebody who has chosen none: that of the installation (`sluice serve --language`, which the page holds), else the first of
 * the browser's languages that the product speaks, else English. app/early.ts asks in the same way.
 */
function first(): Locale {
  const spoken = navigator.languages.map((one) => known(one.slice(0, 2).toLowerCase()))
  return known(document.documentElement.dataset.language) ?? spoken.find((one) => one !== null) ?? 'en'
}

interface LocaleState {
  locale: Locale
}

/** The language in use. Written by setLocale (i18n/i18n.ts) only, after its texts have arrived. */
export const useLocaleStore = create<LocaleState>(() => ({ locale: known(localStorage.getItem(KEY)) ?? first() }))

export const useLocale = (): Locale => useLocaleStore((state) => state.locale)

export function rememberLocale(locale: Locale) {
  localStorage.setItem(KEY, locale)
  useLocaleStore.setState({ locale })
}
