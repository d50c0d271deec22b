export interface Person {
  id: string
  name: string
}

/** Those of the people whose name is in the text behind an @: who was picked and deleted again is not mentioned. */
export function mentionedIn(text: string, picked: Person[]): string[] {
  const names = new Set(parts(text, picked).flatMap(({ text, mention }) => (mention ? [text.slice(1)] : [])))
  return [...new Set(picked.filter(({ name }) => names.has(name)).map(({ id }) => id))]
}

export interface Part {
  text: string
  mention: boolean
  at: number
}

/** A text in pieces: its mentions, and what is between them. Of two names that begin alike the longer one counts. */
export function parts(text: string, mentions: Person[]): Part[] {
  const names = [...new Set(mentions.map(({ name }) => name))].filter(Boolean).sort((a, b) => b.length - a.length)
  const out: Part[] = []
  let plain = 0
  const push = (from: number, to: number, mention: boolean) => {
    if (to > from) out.push({ text: text.slice(from, to), mention, at: from })
  }
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const name = names.find((one) => text.startsWith(one, at + 1))
    if (!name) continue
    push(plain, at, false)
    plain = at + 1 + name.length
    push(at, plain, true)
  }
  push(plain, text.length, false)
  return out
}

/** Characters as the server counts them. */
export const lengthOf = (text: string) => [...text.trim()].length

/** What was typed behind the @ before the caret; null when none is being typed. An address of mail is not a mention. */
export function wordAt(before: string): string | null {
  return /(?:^|[^A-Za-z0-9])@([^\s@]{0,30})$/.exec(before)?.[1] ?? null
}
