export type Match = (text: string, query: string) => number[] | null

/** What a choice is found by: its names in all languages, its code, words beside them. */
export interface Findable {
  names: string[]
  code?: string
  more?: string[]
}

const folded = (text: string) => text.normalize('NFKC').toLowerCase().trim()

/** How well a choice fits what was typed: 0 is best, null where it does not fit. */
export function rank({ names, code, more = [] }: Findable, text: string, pinyin: Match): number | null {
  const word = folded(text)
  if (word === '') return 0
  const texts = [...names, ...(code === undefined ? [] : [code])].map(folded)
  if (texts.some((text) => text === word)) return 0
  if (texts.some((text) => text.startsWith(word))) return 1
  if (texts.some((text) => text.includes(word))) return 2
  const heard = names.map((name) => pinyin(name, word)?.[0]).filter((at) => at !== undefined)
  if (heard.length > 0) return heard.includes(0) ? 3 : 4
  return more.some((text) => folded(text).includes(word) || pinyin(text, word)) ? 5 : null
}

/** The choices that a text finds, the best ones first; all of them for none. */
export function findChoices<C>(choices: C[], text: string, of: (choice: C) => Findable, pinyin: Match): C[] {
  if (folded(text) === '') return choices
  return choices
    .flatMap((choice) => {
      const fit = rank(of(choice), text, pinyin)
      return fit === null ? [] : [{ choice, fit }]
    })
    .sort((a, b) => a.fit - b.fit)
    .map(({ choice }) => choice)
}
