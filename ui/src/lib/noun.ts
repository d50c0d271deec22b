import { type Locale, localName } from './local-name'

/** The names of a model, as list and form answers carry them. */
export interface ModelNames {
  modelName: string
  modelName_i18n?: Record<string, string> | null
  modelNamePlural_i18n?: Record<string, string> | null
}

interface ListNames {
  name: string
  name_i18n?: Record<string, string> | null
  narrowed: boolean
}

/** Stands for several records of a model without a plural, by locale; a locale that is missing has no plural forms. */
const RECORDS: Partial<Record<Locale, string>> = { en: 'records' }

/** A name inside a sentence: its first letter in lower case, unless others are capitals, too ("BIM models" stays). */
export function inSentence(name: string): string {
  const rest = name.slice(1)
  return rest === rest.toLowerCase() ? name.toLowerCase() : name
}

/** What one record of a model (count 1) or several are called inside a sentence. */
export function noun(model: ModelNames, count: number, locale: Locale): string {
  const name = localName({ name: model.modelName, name_i18n: model.modelName_i18n }, locale)
  const records = RECORDS[locale]
  if (!records) return name
  return inSentence(count === 1 ? name : model.modelNamePlural_i18n?.[locale] || records)
}

/** The name of several records as a heading: "Inspection lots". */
export function pluralTitle(model: ModelNames, locale: Locale): string {
  return (
    (RECORDS[locale] && model.modelNamePlural_i18n?.[locale]) ||
    localName({ name: model.modelName, name_i18n: model.modelName_i18n }, locale)
  )
}

/** What the records of a list are called inside a sentence: a list of some of them by its own name, one of all by the model's. */
export function listNoun(list: ModelNames & ListNames, locale: Locale): string {
  return list.narrowed && list.name ? inSentence(localName(list, locale)) : noun(list, 0, locale)
}
