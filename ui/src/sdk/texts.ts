import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Locale } from '@/lib/local-name'

interface Texts {
  readonly [key: string]: string | Texts
}

/** The same keys in the other language. A text with a {count} may have a form for one: key_one. */
type Like<T> = { readonly [K in keyof T]: T[K] extends string ? string : Like<T[K]> } & {
  readonly [K in keyof T as T[K] extends string ? `${K & string}_one` : never]?: string
}

/** Keys of a text: `'page.title'`. */
type Keys<T> = {
  [K in keyof T & string]: T[K] extends string ? K : `${K}.${Keys<T[K]>}`
}[keyof T & string]

export interface PackTexts {
  pack: string
  /** The product's texts are not in it: `useText` of the SDK has those. */
  texts: Record<Locale, unknown>
}

// The product's namespace is the only one that types know.
const namespace = (pack: string) => `pack.${pack}` as 'texts'

/** Puts a pack's texts beside those of the product, under the pack's name. */
export function addTexts({ pack, texts }: PackTexts): void {
  const add = () => {
    for (const [locale, bundle] of Object.entries(texts))
      i18next.addResourceBundle(locale, namespace(pack), bundle, true, true)
  }
  if (i18next.isInitialized) add()
  else i18next.on('initialized', add)
}

/**
 * The texts of a pack in both languages: `const texts = defineTexts('survey', {zh, en})`, and in a component `const t = texts.useText()`. English
 * has the keys of Chinese, or it does not compile; a key that is not there does not compile either.
 */
export function defineTexts<const T extends Texts>(pack: string, texts: { zh: T; en: Like<T> }) {
  const t = (translate: unknown) => translate as (key: Keys<T>, values?: Record<string, unknown>) => string
  // Pages of a pack load when they are opened, and its texts with them: who asks for the first one adds them.
  const add = () => {
    if (!i18next.isInitialized || !i18next.hasResourceBundle('zh', namespace(pack))) addTexts({ pack, texts })
  }
  return {
    pack,
    texts,
    useText: () => {
      add()
      return t(useTranslation(namespace(pack)).t)
    },
    /** The text outside components, in the language that is in use now. */
    text: (key: Keys<T>, values?: Record<string, unknown>) => {
      add()
      return t(i18next.getFixedT(null, namespace(pack)))(key, values)
    },
  }
}
