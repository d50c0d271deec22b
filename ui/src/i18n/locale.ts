import { create } from 'zustand'
import type { Locale } from '@/lib/local-name'

const KEY = 'locale'

function stored(): Locale {
  return localStorage.getItem(KEY) === 'en' ? 'en' : 'zh'
}

interface LocaleState {
  locale: Locale
}

/** The language in use. Written by setLocale (i18n/set-locale.ts) only, after its texts have arrived. */
export const useLocaleStore = create<LocaleState>(() => ({ locale: stored() }))

export const useLocale = (): Locale => useLocaleStore((state) => state.locale)

export function rememberLocale(locale: Locale) {
  localStorage.setItem(KEY, locale)
  useLocaleStore.setState({ locale })
}
