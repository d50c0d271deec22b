import { get, halfWidth } from '@sluice/sdk'
import type { Address } from './ui'

export interface Division {
  code: string
  name: string
  name_i18n: Record<string, string> | null
  leaf: boolean
}

/** The divisions right below a code, "" = provinces. */
export type Below = (parent: string) => Promise<Division[]>

const known = new Map<string, Promise<Division[]>>()

/** Asked for once: a pasted column names the same provinces again and again. */
const below: Below = (parent) => {
  const before = known.get(parent)
  if (before) return before
  const asked = get('/api/runtime/form/divisions', { parent }) as Promise<Division[]>
  known.set(parent, asked)
  asked.catch(() => known.delete(parent))
  return asked
}

const GAP = /^[\s,，、;；/\\>|·-]+/

/** A word that means a division, whether or not there is one of that name. */
const DIVISION =
  /^[^\s,，、;；/\\>|·-]{1,14}(?:省|自治区|特别行政区|市|自治州|地区|盟|自治县|县|区|旗)(?=[\s,，、;；/\\>|·-]|$)/

/** The division whose name, in any language, a text begins with; the longest one. */
function first(rows: Division[], text: string): { row: Division; rest: string } | null {
  const folded = text.toLowerCase()
  let best: { row: Division; rest: string } | null = null
  for (const row of rows) {
    for (const name of [row.name, ...Object.values(row.name_i18n ?? {})]) {
      if (!name || !folded.startsWith(name.toLowerCase())) continue
      const rest = text.slice(name.length)
      // "Henan" is not the beginning of "Henanshan".
      if (/[a-z]$/i.test(name) && /^[a-z]/i.test(rest)) continue
      if (!best || rest.length < best.rest.length) best = { row, rest }
    }
  }
  return best
}

/** Levels that stand between two others in name only: nobody writes them. */
export const UNSAID = /^(市辖区|县|(省|自治区)直辖县级行政区划)$/

interface Found {
  rows: Division[]
  rest: string
}

/** Goes down as far as the text names divisions. */
async function named(text: string, ask: Below): Promise<Found> {
  const rows: Division[] = []
  let rest = text
  while (rows.length < 3 && !rows.at(-1)?.leaf) {
    const choices = await ask(rows.at(-1)?.code ?? '')
    const said = rest.replace(GAP, '')
    let hit = first(choices, said)
    let between: Division[] = []
    if (!hit && rows.length === 1) {
      for (const choice of choices.filter(({ name, leaf }) => !leaf && (UNSAID.test(name) || name === rows[0]?.name))) {
        hit ??= first(await ask(choice.code), said)
        if (hit && between.length === 0) between = [choice]
      }
    }
    if (!hit) break
    rows.push(...between, hit.row)
    rest = hit.rest
  }
  return { rows, rest: rows.length > 0 ? rest.replace(/^[\s,，]+/, '') : rest }
}

/** The divisions down to a code; of six digits also where zeros stand for what is left out. */
async function coded(code: string, ask: Below): Promise<Division[] | null> {
  const rows: Division[] = []
  for (let length = 2; length <= code.length; length += 2) {
    const row = (await ask(code.slice(0, length - 2))).find((one) => one.code === code.slice(0, length))
    if (row) rows.push(row)
    else return rows.length > 0 && /^0+$/.test(code.slice(length - 2)) ? rows : null
  }
  return rows
}

const made = (rows: Division[], detail: string): Address => ({
  code: rows.at(-1)?.code ?? null,
  province: rows[0]?.name ?? null,
  city: rows[1]?.name ?? null,
  district: rows[2]?.name ?? null,
  detail: detail || null,
})

/**
 * The address that a text says: province, city and district by their names, with or without marks between them, or by a
 * code, and then the rest as it is. A word that means a division that there is not makes it none.
 */
export async function parseAddress(text: string, ask: Below): Promise<Address | undefined> {
  const plain = text.replace(/\s*[\r\n]+\s*/g, ' ').trim()
  const [, code, after] = /^(\d{2}|\d{4}|\d{6})(?:[\s,，]+(.*))?$/.exec(halfWidth(plain)) ?? []
  // A code with something behind it has all its digits: "12 Main Street" is not a province.
  if (code && (code.length === 6 || after === undefined)) {
    const rows = await coded(code, ask)
    if (rows) return made(rows, plain.slice(code.length).replace(/^[\s,，]+/, ''))
    if (after === undefined) return undefined
  }
  const { rows, rest } = await named(plain, ask)
  if (rows.length < 3 && !rows.at(-1)?.leaf && DIVISION.test(rest.replace(GAP, ''))) return undefined
  return made(rows, rest)
}

export const parseText = (text: string) => parseAddress(text, below)
