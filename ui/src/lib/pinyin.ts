type Match = (text: string, query: string) => number[] | null

let matcher: Promise<Match> | null = null

/** pinyin-pro weighs more than the shell: it is loaded when somebody first types into a search. */
export function loadPinyin(): Promise<Match> {
  matcher ??= import('pinyin-pro').then(
    ({ match }) =>
      (text, query) =>
        match(text, query.replaceAll(' ', ''), { continuous: true }),
  )
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
  (text, query) =>
    plainMatch(text, query) ?? (pinyin && /^[a-z ]+$/i.test(query) ? pinyin(text, query.toLowerCase()) : null)
