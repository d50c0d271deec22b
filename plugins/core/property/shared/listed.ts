// How several values stand in one text, and what tells equal names apart. Files are written and read so by the server (engine/property/listed.go);
// both read the cases of engine/property/testdata/lists.txt.

const STRONG = ';；\n\r'
const WEAK = '、，,|'

/** So many parts are tried together as one name, and so many parts of a text have such names. */
const MOST_JOINED = 8
const MOST_TRIED = 50

interface Part {
  text: string
  quoted: boolean
  begin: number
  end: number
}

/** A part in quotation marks that begins at a place, and where the next one does; null where they do not enclose all of it. */
function quotedPart(text: string, from: number): { part: Part; next: number } | null {
  const begin = text.indexOf('"', from)
  const found = /"((?:[^"]|"")*)"/y
  found.lastIndex = begin
  const inside = found.exec(text)?.[1]?.replaceAll('""', '"')
  if (!inside) return null
  const end = found.lastIndex
  const gap = /[ \t　]*/y
  gap.lastIndex = end
  gap.exec(text)
  const next = gap.lastIndex
  if (next < text.length && !STRONG.includes(text[next] as string)) return null
  return { part: { text: inside, quoted: true, begin, end }, next: Math.min(text.length, next + 1) }
}

/** What is between marks and not empty. */
function cut(text: string, marks: string, quotes: boolean): Part[] {
  const out: Part[] = []
  const isMark = (at: number) => at < text.length && marks.includes(text[at] as string)
  for (let at = 0; at < text.length; ) {
    const quoted = quotes && /^[ \t　]*"/.test(text.slice(at)) ? quotedPart(text, at) : null
    if (quoted) {
      out.push(quoted.part)
      at = quoted.next
      continue
    }
    const begin = at
    while (at < text.length && !isMark(at)) at++
    const piece = text.slice(begin, at).trim()
    if (piece !== '') out.push({ text: piece, quoted: false, begin, end: at })
    while (isMark(at)) at++
  }
  return out
}

/** Takes the longest run of parts that is known as one text, from the first on; what no run begins with is for `rest`. */
function runs(text: string, parts: Part[], known: (text: string) => boolean, rest: (part: Part) => string[]): string[] {
  const joined = parts.length > MOST_TRIED ? 1 : MOST_JOINED
  const out: string[] = []
  for (let i = 0; i < parts.length; i++) {
    const first = parts[i] as Part
    if (first.quoted) {
      out.push(first.text)
      continue
    }
    let last = Math.min(parts.length, i + joined) - 1
    const run = () => text.slice(first.begin, (parts[last] as Part).end).trim()
    while (last >= i && !known(run())) last--
    if (last < i) out.push(...rest(first))
    else {
      out.push(run())
      i = last
    }
  }
  return out
}

/**
 * The texts of a list that each mean one thing: the parts between strong marks when all of them name something, else the whole when it does,
 * else each by itself, the longest first, and parts that name nothing once more at weak marks. What names nothing is given as it is.
 */
export function partList(text: string, known: (text: string) => boolean): string[] {
  const parts = cut(text, STRONG, true)
  if (parts.length > 0 && parts.every((part) => part.quoted || known(part.text))) return parts.map((part) => part.text)
  const whole = text.trim()
  if (whole !== '' && known(whole)) return [whole]
  return runs(text, parts, known, (part) => {
    const weak = cut(part.text, WEAK, false)
    if (weak.length < 2) return [part.text]
    let some = false
    const found = runs(
      part.text,
      weak,
      (one) => {
        const is = known(one)
        some ||= is
        return is
      },
      (one) => [one.text],
    )
    return some ? found : [part.text]
  })
}

/** The brackets around what tells a name apart: those that open and those that close, by their shape. */
const TOLD = [
  ['(（', ')）'],
  ['<＜〈', '>＞〉'],
  ['[［【〔', ']］】〕'],
] as const

/** The ways to read a text as a name with what tells it apart in brackets behind it: the longest name first, for names have brackets too. */
export function tellings(text: string): { name: string; detail: string }[] {
  const whole = text.trim()
  const opens = TOLD.find(([, closes]) => whole !== '' && closes.includes(whole.slice(-1)))?.[0]
  if (opens === undefined) return []
  const inner = whole.slice(0, -1)
  return [...inner]
    .flatMap((mark, at, all) => (opens.includes(mark) ? [all.slice(0, at).join('').length] : []))
    .map((at) => ({ name: inner.slice(0, at).trim(), detail: inner.slice(at + 1).trim() }))
    .filter(({ name, detail }) => name !== '' && detail !== '')
    .reverse()
    .slice(0, MOST_JOINED)
}
