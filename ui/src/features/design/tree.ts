import { type Edge, type Flow, type FlowNode, outsOf } from './document'

/** A node in a lane, with the branches that begin at it and the JOIN that ends them. */
export interface Item {
  node: FlowNode
  branches: Branch[]
  join: FlowNode | null
}

/**
 * Nodes one below another. Before, between and behind them are places where something can be added: place i is the ways that lead to
 * item i, the last place those that lead out. A lane ends where its branches come together (merge), at an END, or at a node that is drawn
 * elsewhere (jump).
 */
export interface Lane {
  places: Edge[][]
  items: Item[]
  end: 'merge' | 'end' | 'jump' | 'open'
  /** Where it leads at its end. */
  to: string | null
}

export interface Branch extends Lane {
  edge: Edge
}

export interface Tree {
  lane: Lane
  /** Nodes that no way from the start leads to. */
  loose: FlowNode[]
}

export function indexOf(flow: Flow): Map<string, FlowNode> {
  return new Map(flow.nodes.map((node) => [node.id, node]))
}

/** All nodes that somebody gets to from a node, that one too. */
export function reachFrom(nodes: Map<string, FlowNode>, from: Iterable<string>): Set<string> {
  const seen = new Set<string>()
  const open = [...from]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = nodes.get(id)
    if (!node || seen.has(id)) continue
    seen.add(id)
    for (const edge of outsOf(node)) open.push(edge.to)
  }
  return seen
}

/** Whether several ways lead on from a node. */
export const splits = (node: FlowNode) => node.type === 'SPLIT' || outsOf(node).length > 1

/** Where branches without a JOIN come together: the first node that most of them lead to. */
function mergeOf(nodes: Map<string, FlowNode>, outs: Edge[]): string | null {
  const reached = outs.map((edge) => reachFrom(nodes, [edge.to]))
  const counts = new Map<string, number>()
  for (const set of reached) for (const id of set) counts.set(id, (counts.get(id) ?? 0) + 1)
  const most = Math.max(0, ...counts.values())
  if (most < 2) return null
  let best: { id: string; size: number } | null = null
  for (const [id, count] of counts) {
    const size = reachFrom(nodes, [id]).size
    if (count === most && (!best || size > best.size)) best = { id, size }
  }
  return best?.id ?? null
}

export function treeOf(flow: Flow): Tree {
  const nodes = indexOf(flow)
  const joins = new Map(flow.nodes.filter((node) => node.type === 'JOIN' && node.of).map((node) => [node.of, node]))
  const drawn = new Set<string>()

  const walk = (first: Edge[], stop: Set<string>, merge: string | null): Lane => {
    const lane: Lane = { places: [], items: [], end: 'open', to: null }
    let ways = first
    for (;;) {
      const to = ways[0]?.to
      if (to === undefined) return lane
      lane.places.push(ways)
      lane.to = to
      const node = nodes.get(to)
      if (to === merge) lane.end = 'merge'
      else if (!node || stop.has(to) || drawn.has(to)) lane.end = 'jump'
      if (lane.end !== 'open' || !node) return lane
      const item = draw(node, stop, merge)
      lane.items.push(item.item)
      if (node.type === 'END') lane.end = 'end'
      ways = item.ways
    }
  }

  /** Draws a node with its branches; the ways are those that lead on behind all of it. */
  const draw = (node: FlowNode, stop: Set<string>, around: string | null): { item: Item; ways: Edge[] } => {
    drawn.add(node.id)
    const item: Item = { node, branches: [], join: null }
    const outs = outsOf(node)
    if (!splits(node)) return { item, ways: outs }
    const join = node.type === 'SPLIT' ? joins.get(node.id) : undefined
    const shared = join && !drawn.has(join.id) ? join.id : mergeOf(nodes, outs)
    // Where one of them ends, the others may still lead to where the branches around come together.
    const merge = shared ?? (around && outs.some((edge) => reachFrom(nodes, [edge.to]).has(around)) ? around : null)
    const beyond = merge ? new Set([...stop, ...reachFrom(nodes, [merge])]) : stop
    item.branches = outs.map((edge) => ({ ...walk([edge], beyond, merge), edge }))
    if (join && join.id === merge) {
      drawn.add(join.id)
      item.join = join
      return { item, ways: outsOf(join) }
    }
    return {
      item,
      ways: item.branches.flatMap((branch) => (branch.end === 'merge' ? (branch.places.at(-1) ?? []) : [])),
    }
  }

  const start = flow.nodes.find((node) => node.type === 'START')
  const lane: Lane = { places: [], items: [], end: 'open', to: null }
  if (start) {
    const first = draw(start, new Set(), null)
    const rest = walk(first.ways, new Set(), null)
    lane.items = [first.item, ...rest.items]
    lane.places = [[], ...rest.places]
    lane.end = rest.end
    lane.to = rest.to
  }
  return { lane, loose: flow.nodes.filter((node) => !drawn.has(node.id)) }
}

/** The place of an item: its lane, and how many items are before it. */
export interface Spot {
  lane: Lane
  at: number
  item: Item
  /** Where the lane leads in the end. */
  merge: string | null
}

export function spotOf(tree: Tree, id: string): Spot | null {
  const look = (lane: Lane, merge: string | null): Spot | null => {
    for (const [at, item] of lane.items.entries()) {
      if (item.node.id === id || item.join?.id === id) return { lane, at, item, merge }
      const behind = lane.places[at + 1]?.[0]?.to ?? merge
      for (const branch of item.branches) {
        const found = look(branch, item.join?.id ?? behind)
        if (found) return found
      }
    }
    return null
  }
  return look(tree.lane, null)
}

/** The ids of an item and all that is inside it. */
export function idsIn(item: Item): string[] {
  return [
    item.node.id,
    ...item.branches.flatMap((branch) => branch.items.flatMap(idsIn)),
    ...(item.join ? [item.join.id] : []),
  ]
}

export function allItems(lane: Lane): Item[] {
  return lane.items.flatMap((item) => [item, ...item.branches.flatMap(allItems)])
}
