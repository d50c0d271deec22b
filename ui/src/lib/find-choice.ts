import { visible } from './visible'

/** Positions of the characters of `text` that `query` names; `whole`: only where it names all of them by complete sounds or by initials. */
export type Match = (text: string, query: string, whole?: boolean) => number[] | null

/** What a choice is found by: its names in all languages, its code, words beside them. */
export interface Findable {
  names: string[]
  code?: string
  more?: string[]
}

/** How a typed text names what it found: by its name or code, or by its whole sound. Missing where that is something longer. */
export type Named = 'text' | 'sound'

/** How well something fits a typed text; the smallest is best. The server's finder has the same order (runtime/finder). */
export const FIT = { exact: 0, begins: 1, contains: 2, sounds: 3, soundsBegin: 4, soundsContain: 5, beside: 6 } as const

/** The form in which texts are compared: without case, width and spaces. */
export const plainText = (text: string) => visible(text).normalize('NFKC').toLowerCase().replace(/\s/g, '')

const spelled = (text: string, word: string): number | null =>
  text === word ? FIT.exact : text.startsWith(word) ? FIT.begins : text.includes(word) ? FIT.contains : null

function heard(name: string, word: string, pinyin: Match): number | null {
  const at = pinyin(name, word)?.[0]
  if (at === undefined) return null
  if (at > 0) return FIT.soundsContain
  return pinyin(name, word, true) ? FIT.sounds : FIT.soundsBegin
}

const best = (fits: (number | null)[]) =>
  fits.reduce((a, b) => (a === null ? b : b === null ? a : Math.min(a, b)), null)

function part({ names, code, more = [] }: Findable, word: string, pinyin: Match): number | null {
  const texts = [...names, ...(code === undefined ? [] : [code])].map(plainText)
  return (
    best(texts.map((text) => spelled(text, word))) ??
    best(names.map((name) => heard(name, word, pinyin))) ??
    (more.some((text) => plainText(text).includes(word) || pinyin(text, word)) ? FIT.beside : null)
  )
}

/** How well a choice fits what was typed: 0 is best, null where it does not fit. */
export function rank(of: Findable, text: string, pinyin: Match): number | null {
  const word = plainText(text)
  if (word === '') return FIT.exact
  const whole = part(of, word, pinyin)
  if (whole !== null && whole <= FIT.contains) return whole
  const words = text.normalize('NFKC').split(/\s+/).filter(Boolean).map(plainText)
  if (words.length < 2) return whole
  const each = words.map((one) => part(of, one, pinyin))
  return each.includes(null) ? whole : best([whole, Math.max(FIT.contains, ...each.map(Number))])
}

/** How a text names what fits it so. */
export const namedBy = (fit: number): Named | null => (fit === FIT.exact ? 'text' : fit === FIT.sounds ? 'sound' : null)

/** The choices that a text finds, the best ones first, and how it names each; all of them for none. */
export function rankChoices<C>(choices: C[], text: string, of: (choice: C) => Findable, pinyin: Match) {
  if (plainText(text) === '') return choices.map((choice) => ({ choice, named: null as Named | null }))
  return choices
    .flatMap((choice) => {
      const fit = rank(of(choice), text, pinyin)
      return fit === null ? [] : [{ choice, fit }]
    })
    .sort((a, b) => a.fit - b.fit)
    .map(({ choice, fit }) => ({ choice, named: namedBy(fit) }))
}

/** The choices that a text finds, the best ones first; all of them for none. */
export const findChoices = <C>(choices: C[], text: string, of: (choice: C) => Findable, pinyin: Match): C[] =>
  rankChoices(choices, text, of, pinyin).map(({ choice }) => choice)

/** What a typed text means of what it found: the only one that it names, else the only one whose sound it is. */
export interface Meaning<C> {
  one?: C
  /** More than one is called so: the person has to say which. */
  several: boolean
}

/** Never something longer than what was typed, and none of several; by its sound only where nothing has the text itself. */
export function meaningOf<C extends { named?: string | null | undefined }>(found: readonly C[]): Meaning<C> {
  const spelled = found.filter(({ named }) => named === 'text')
  const sounding = found[0]?.named === 'sound' ? found.filter(({ named }) => named === 'sound') : []
  const so = spelled.length > 0 ? spelled : sounding
  const [one] = so
  return so.length === 1 && one ? { one, several: false } : { several: so.length > 1 }
}
