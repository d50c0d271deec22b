// The document of a workflow as the editor holds it. What the editor does not know stays in it as it is.

export const TYPES = [
  'START',
  'FILL',
  'APPROVE',
  'CIRCULATE',
  'SPLIT',
  'JOIN',
  'SERVICE',
  'SUB',
  'WAIT',
  'END',
] as const
export type NodeType = (typeof TYPES)[number]

export type Bag = Record<string, unknown>

/** An entry of next: the id of a node, or an object that names it in `to`. */
export type Way = string | ({ to: string; exit?: string } & Bag)
export type Route = string | ({ to: string; when?: string; default?: boolean; order?: number } & Bag)

export interface FlowNode extends Bag {
  id: string
  type: NodeType
  name?: string
  name_i18n?: Record<string, string>
  next?: Way[]
  routes?: Route[]
  of?: string
}

export interface Flow extends Bag {
  schemaCode: string
  name?: string
  name_i18n?: Record<string, string>
  settings?: Bag
  nodes: FlowNode[]
}

const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a document can be drawn: it has nodes, and each has an id of its own and a type that is known. */
export function isFlow(value: unknown): value is Flow {
  if (!isBag(value) || !Array.isArray(value.nodes) || value.nodes.length === 0) return false
  const ids = new Set<unknown>()
  const ways = (list: unknown) =>
    list === undefined ||
    (Array.isArray(list) && list.every((one) => typeof one === 'string' || (isBag(one) && typeof one.to === 'string')))
  return value.nodes.every((node: unknown) => {
    if (!isBag(node) || typeof node.id !== 'string' || ids.has(node.id)) return false
    ids.add(node.id)
    return TYPES.includes(node.type as NodeType) && ways(node.next) && ways(node.routes)
  })
}

// Numbers that JavaScript would round are kept as text behind a mark while a document is open.
const MARK = '\u{e000}'
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Reads JSON without rounding its numbers. */
export function readJson(text: string): unknown {
  return JSON.parse(
    text.replace(TOKEN, (token) => (token[0] === '"' || String(Number(token)) === token ? token : `"${MARK}${token}"`)),
  )
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

export const targetOf = (way: Way | Route) => (typeof way === 'string' ? way : way.to)

/** A way out of a node: the place of its entry in next or routes. */
export interface Edge {
  from: string
  kind: 'next' | 'disagree' | 'route'
  at: number
  to: string
}

export function outsOf(node: FlowNode): Edge[] {
  if (node.type === 'SPLIT')
    return (node.routes ?? []).map((route, at) => ({ from: node.id, kind: 'route', at, to: targetOf(route) }))
  return (node.next ?? []).map((way, at) => ({
    from: node.id,
    kind: typeof way !== 'string' && way.exit === 'disagree' ? 'disagree' : 'next',
    at,
    to: targetOf(way),
  }))
}

/** Sets what a path of keys leads to. Undefined removes it, and the objects that are empty without it. */
export function setAt<T>(of: T, path: (string | number)[], value: unknown): T {
  const [key, ...rest] = path
  if (key === undefined) return value as T
  if (Array.isArray(of)) return of.map((one, i) => (i === key ? setAt(one, rest, value) : one)) as T
  const bag = { ...(isBag(of) ? of : {}) } as Bag
  const next = rest.length > 0 ? setAt(bag[key] ?? {}, rest, value) : value
  if (next === undefined || (rest.length > 0 && isBag(next) && Object.keys(next).length === 0)) delete bag[key]
  else bag[key] = next
  return bag as T
}

export const valueAt = (of: unknown, path: (string | number)[]): unknown =>
  path.reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? (at as Bag)[key] : undefined), of)
