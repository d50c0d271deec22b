import { type Entry, type FormField, meant, type ParseContext } from '@sluice/sdk'

type Kind = 'user' | 'department'

/** "Li Na (Site 2)": what tells people of one name apart is in brackets. */
const DETAIL = /^(.*?)[（(]([^()（）]+)[)）]$/

/** Names hold commas more often than semicolons. */
const MARKS = [/[;；\n]/, /[、，,;；|\n]/]

const is = (word: string, text: string | null | undefined) => meant(word, [text], (one) => [one]).length > 0

/** Those of what a word has found that it names; what is spelled so, before what is called so in another case, width or with other spaces. */
function called(word: string, found: Entry[]): Entry[] {
  const byName = meant(word, found, ({ name }) => [name])
  return found.filter((entry) => byName.includes(entry) || (entry.named === 'text' && !is(word, entry.name)))
}

/** The choices that are called so; never one that is called longer or merely sounds so. */
async function named(word: string, { find }: ParseContext, kind?: Kind): Promise<Entry[]> {
  const found = called(word, await find(word, kind))
  if (found.length > 0) return found
  const [, name, detail] = DETAIL.exec(word) ?? []
  if (!name || !detail) return []
  return called(name, await find(name.trim(), kind)).filter((entry) => is(detail, entry.detail))
}

const only = (found: Entry[]): Entry | undefined => {
  if (found.length !== 1) return undefined
  const { fill: _, ...entry } = found[0] as Entry
  return entry as Entry
}

/** The person, department or record that a text names. */
export const parseEntry = async (text: string, _: FormField, context: ParseContext) =>
  only(await named(text.trim(), context))

async function all(text: string, one: (word: string) => Promise<Entry | undefined>): Promise<Entry[] | undefined> {
  const whole = await one(text.trim())
  if (whole) return [whole]
  for (const marks of MARKS) {
    const words = text.split(marks).flatMap((word) => word.trim() || [])
    const found = await Promise.all(words.map(one))
    if (found.length > 0 && found.every((entry) => entry !== undefined))
      return [...new Map((found as Entry[]).map((entry) => [entry.id, entry])).values()]
  }
  return undefined
}

/** Several of them. A name may itself hold a mark that separates others. */
export const parseEntries = (text: string, _: FormField, context: ParseContext) =>
  all(text, async (word) => only(await named(word, context)))

/** People and departments together. */
export const parseMixed = (text: string, _: FormField, context: ParseContext) =>
  all(text, async (word) =>
    only([...(await named(word, context, 'user')), ...(await named(word, context, 'department'))]),
  )
