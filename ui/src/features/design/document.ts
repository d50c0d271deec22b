import { type Bag, isBag } from './shared/json'

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
