import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Locale } from '@/lib/local-name'
import { rememberLocale, useLocaleStore } from './locale'
import type { texts as zh } from './zh'
import type { texts as later } from './zh/later'

export type Texts = typeof zh & typeof later

/** The same keys as Chinese; a missing or an extra one does not compile. A text with a {count} may have a form for one: key_one. */
export type TextsLike<T> = { [K in keyof T]: T[K] extends string ? string : TextsLike<T[K]> } & {
  [K in keyof T as T[K] extends string ? `${K & string}_one` : never]?: string
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'texts'
    resources: { texts: Texts }
  }
}

type Loader = () => Promise<{ texts: Partial<TextsLike<Texts>> }>

/** Before the sign-in a few texts are enough; behind it all are there. */
const loaders: Record<'start' | 'all' | 'later', Record<Locale, Loader>> = {
  start: { zh: () => import('./zh/start'), en: () => import('./en/start') },
  all: { zh: () => import('./zh'), en: () => import('./en') },
  later: { zh: () => import('./zh/later'), en: () => import('./en/later') },
}
let stage: 'start' | 'all' = 'start'
let withLater = false

type Listener = (locale: Locale) => Promise<void> | void
const before: Listener[] = []

/** Libraries with texts of their own (antd, dayjs) load them here, before the language changes on screen. */
export function beforeLocale(listener: Listener) {
  before.push(listener)
}

async function load(locale: Locale) {
  const [{ texts }, later] = await Promise.all([
    loaders[stage][locale](),
    withLater ? loaders.later[locale]() : null,
    ...before.map((listener) => listener(locale)),
  ])
  i18next.addResourceBundle(locale, 'texts', texts, true, true)
  if (later) i18next.addResourceBundle(locale, 'texts', later.texts, true, true)
}

/** Brings the texts of the pages behind the sign-in; from now on they change with the language. */
export async function loadAllTexts(): Promise<void> {
  stage = 'all'
  const { locale } = useLocaleStore.getState()
  const { texts } = await loaders.all[locale]()
  await started
  i18next.addResourceBundle(locale, 'texts', texts, true, true)
}

/** Brings the texts of dialogs that are rarely opened. Who draws one waits for them. */
export async function loadLaterTexts(): Promise<void> {
  withLater = true
  const { locale } = useLocaleStore.getState()
  const { texts } = await loaders.later[locale]()
  i18next.addResourceBundle(locale, 'texts', texts, true, true)
}

/** A page that asks for a text before it is there (or for none that is) shows its key: nobody should find that out by eye. */
function missing(key: string, words?: string): string {
  // biome-ignore lint/suspicious/noConsole: a fault of ours, which the journeys look for
  if (words === undefined) console.error(`no text for ${key}`)
  return words ?? key
}

let begin = () => {}
const started = new Promise<void>((resolve) => {
  begin = resolve
})

export async function startI18n(): Promise<void> {
  const { locale } = useLocaleStore.getState()
  await i18next.use(initReactI18next).init({
    lng: locale,
    defaultNS: 'texts',
    ns: ['texts'],
    resources: {},
    interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
    returnNull: false,
    parseMissingKeyHandler: missing,
  })
  await show(locale)
  begin()
}

/** The one way to change the language: our texts, antd, dayjs and the grid change together. */
export async function setLocale(locale: Locale): Promise<void> {
  await show(locale)
  rememberLocale(locale)
}

async function show(locale: Locale): Promise<void> {
  await load(locale)
  await i18next.changeLanguage(locale)
  document.documentElement.lang = locale
}
