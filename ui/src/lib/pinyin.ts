import type { Match } from './find-choice'

let matcher: Promise<Match> | null = null

const letters = (text: string) => [...text.normalize('NFKC')].filter((one) => /[\p{L}\p{N}]/u.test(one)).length

/** pinyin-pro weighs more than the shell: it is loaded when somebody first types into a search. */
export function loadPinyin(): Promise<Match> {
  matcher ??= import('pinyin-pro').then(({ match }) => (text, query, whole) => {
    const word = query.replaceAll(' ', '')
    if (!whole) return match(text, word, { continuous: true })
    const all = (found: number[] | null) => (found?.length === letters(text) ? found : null)
    const full = all(match(text, word, { continuous: true, precision: 'every', lastPrecision: 'every' }))
    if (full || word.length !== letters(text)) return full
    return all(match(text, word, { continuous: true, precision: 'first', lastPrecision: 'first' }))
  })
  return matcher
}

/** Positions of the characters of `text` that `query` names, by the text itself. */
export const plainMatch: Match = (text, query) => {
  const at = text.toLowerCase().indexOf(query.toLowerCase())
  return at < 0 ? null : Array.from({ length: query.length }, (_, i) => at + i)
}

/** By the text itself, else by pinyin or its initials. */
export const matchWith =
  (pinyin: Match | null): Match =>
  (text, query, whole) =>
    (whole ? null : plainMatch(text, query)) ??
    (pinyin && /^[a-z ]+$/i.test(query) ? pinyin(text, query.toLowerCase(), whole) : null)
