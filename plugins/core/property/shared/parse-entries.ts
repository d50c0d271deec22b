import type { Entry, FormField, ParseContext } from '@sluice/sdk'

/** What was found, without what choosing it would fill in. */
const plain = ({ fill: _, ...entry }: Entry) => entry as Entry

/** The person, department or record that a text names. */
export async function parseEntry(text: string, _: FormField, { meant }: ParseContext) {
  const [one, other] = await meant(text)
  return one && !other ? plain(one) : undefined
}

/** Several of them, in the order of the text. */
export async function parseEntries(text: string, _: FormField, { meant }: ParseContext) {
  const found = await meant(text)
  return found.length > 0 ? found.map(plain) : undefined
}
