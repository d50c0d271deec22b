import { post } from '@sluice/sdk'
import type { Address } from './ui'

/** What the server says of a text; it alone reads addresses, for spreadsheets too. */
export interface ReadAddress extends Omit<Address, 'code'> {
  verdict: string
  code: string
}

/** Reads many texts at once. */
export type Ask = (texts: string[]) => Promise<ReadAddress[]>

/** How many texts one call takes, and how long each may be. */
const MOST = 500
const LONGEST = 400

/** Reads texts one by one, and asks for those of one moment together: a pasted column is one call. */
export function reader(ask: Ask) {
  let waiting: { text: string; done: (one: ReadAddress | undefined) => void; failed: (why: unknown) => void }[] = []
  const send = () => {
    const all = waiting
    waiting = []
    for (let at = 0; at < all.length; at += MOST) {
      const some = all.slice(at, at + MOST)
      ask(some.map(({ text }) => text)).then(
        (read) => some.forEach(({ done }, n) => void done(read[n])),
        (why) => some.forEach(({ failed }) => void failed(why)),
      )
    }
  }
  return async (text: string): Promise<Address | undefined> => {
    const plain = text.replace(/\s*[\r\n]+\s*/g, ' ').trim()
    if (plain === '' || [...plain].length > LONGEST) return undefined
    const one = await new Promise<ReadAddress | undefined>((done, failed) => {
      if (waiting.length === 0) setTimeout(send)
      waiting.push({ text: plain, done, failed })
    })
    if (one?.verdict !== 'read') return undefined
    const { code, province, city, district, detail } = one
    return { code: code || null, province, city, district, detail }
  }
}

export const parseText = reader((texts) => post('/api/runtime/form/addresses', { texts }) as Promise<ReadAddress[]>)
