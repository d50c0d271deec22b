// JSON documents as their editors hold them. What an editor does not know stays in its document as it is.

export type Bag = Record<string, unknown>

export type Path = (string | number)[]

export const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// Numbers that JavaScript would round are kept as text behind a mark while a document is open.
const MARK = '\u{e000}'
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Reads JSON without rounding its numbers. */
export function readJson(text: string): unknown {
  return JSON.parse(
    text.replace(TOKEN, (token) => (token[0] === '"' || String(Number(token)) === token ? token : `"${MARK}${token}"`)),
  )
}

/** A number of a document, however it is kept. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.startsWith(MARK) ? Number(value.slice(1)) : undefined
}

const plain = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replace(TOKEN, (token) =>
    token.startsWith(`"${MARK}`) ? token.slice(2, -1) : token,
  )

const WIDTH = 110

/** Writes a document to be read by people: what is short stays on one line. */
export function writeJson(value: unknown, indent = ''): string {
  const flat = plain(value)
  if (typeof value !== 'object' || value === null || (indent && flat.length + indent.length <= WIDTH))
    return spaced(flat, value)
  const inner = `${indent}  `
  const list = Array.isArray(value)
  const entries = list
    ? value.map((one) => inner + writeJson(one, inner))
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => `${inner}${JSON.stringify(key)}: ${writeJson(one, inner)}`)
  if (entries.length === 0) return list ? '[]' : '{}'
  const [open, close] = list ? '[]' : '{}'
  return `${open}\n${entries.join(',\n')}\n${indent}${close}`
}

/** One line with a space behind commas and colons. */
function spaced(flat: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) return flat
  return flat.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (token) => (token === ',' || token === ':' ? `${token} ` : token))
}

/** Sets what a path of keys leads to. Undefined removes it, and the objects that are empty without it. */
export function setAt<T>(of: T, path: Path, value: unknown): T {
  const [key, ...rest] = path
  if (key === undefined) return value as T
  if (Array.isArray(of)) return of.map((one, i) => (i === key ? setAt(one, rest, value) : one)) as T
  const bag = { ...(isBag(of) ? of : {}) } as Bag
  const next = rest.length > 0 ? setAt(bag[key] ?? {}, rest, value) : value
  if (next === undefined || (rest.length > 0 && isBag(next) && Object.keys(next).length === 0)) delete bag[key]
  else bag[key] = next
  return bag as T
}

export const valueAt = (of: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? (at as Bag)[key] : undefined), of)

const sorted = (value: unknown) =>
  JSON.stringify(value, (_, one) => (isBag(one) ? Object.fromEntries(Object.entries(one).sort()) : one))

/** Whether two documents have the same content: the server writes the keys of what is published in an order of its own. */
export const sameContent = (a: unknown, b: unknown) => sorted(a) === sorted(b)
