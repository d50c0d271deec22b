import type { TrackNode } from '../api'

/** A line of the course: a node, or a branch that begins. */
export type Line =
  | { key: string; kind: 'node'; node: TrackNode; depth: number }
  | {
      key: string
      kind: 'branch'
      route: TrackNode['routes'][number] | null
      to: TrackNode | null
      empty: boolean
      depth: number
    }

/** The nodes in the order of the flow: what is between a split and its join is deeper, branch by branch. */
export function trackLines(nodes: TrackNode[]): Line[] {
  const byCode = new Map(nodes.map((node) => [node.activityCode, node]))
  const joins = new Map(nodes.filter((node) => node.of).map((node) => [node.of, node.activityCode]))
  const lines: Line[] = []
  const seen = new Set<string>()
  const leads = (node: TrackNode) => (node.routes.length > 0 ? node.routes.map(({ to }) => to) : node.next)
  const reach = (from: string, into = new Set<string>()) => {
    const node = byCode.get(from)
    if (!node || into.has(from)) return into
    into.add(from)
    for (const to of leads(node)) reach(to, into)
    return into
  }
  /** Where the branches of a split come together: its join, else the first node that all of them reach. */
  const meeting = (node: TrackNode): string | undefined => {
    const join = joins.get(node.activityCode)
    if (join) return join
    const [first, ...others] = leads(node).map((to) => reach(to))
    return [...(first ?? [])].find((code) => others.every((set) => set.has(code)))
  }
  const walk = (from: string | undefined, depth: number, stops: ReadonlySet<string>) => {
    let code = from
    while (code && !stops.has(code) && !seen.has(code)) {
      const node = byCode.get(code)
      if (!node) return
      seen.add(code)
      lines.push({ key: code, kind: 'node', node, depth })
      const to = leads(node)
      if (to.length < 2) {
        code = to[0]
        continue
      }
      const end = meeting(node)
      const beyond = end ? reach(end) : stops
      to.forEach((target, index) => {
        const route = node.routes[index] ?? null
        const empty = beyond.has(target) || seen.has(target)
        lines.push({
          key: `${node.activityCode}/${index}`,
          kind: 'branch',
          route,
          to: byCode.get(target) ?? null,
          empty,
          depth: depth + 1,
        })
        walk(target, depth + 1, beyond)
      })
      code = end
    }
  }
  walk(nodes.find((node) => node.type === 'START')?.activityCode ?? nodes[0]?.activityCode, 0, new Set())
  // What no way leads to is not lost.
  for (const node of nodes)
    if (!seen.has(node.activityCode)) lines.push({ key: node.activityCode, kind: 'node', node, depth: 0 })
  return lines
}
