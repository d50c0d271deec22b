import { type Edge, type Flow, type FlowNode, type NodeType, outsOf, type Route, type Way } from './document'
import { allItems, type Item, idsIn, indexOf, reachFrom, spotOf, treeOf } from './tree'

// Changes of a workflow. Each returns a new document and leaves the one that it was given as it is.

export type SplitKind = 'XOR' | 'OR' | 'AND'

const lead = <T extends Way | Route>(way: T, to: string): T =>
  (typeof way === 'string' ? to : { ...(way as object), to }) as T

const update = (flow: Flow, id: string, change: (node: FlowNode) => FlowNode): Flow => ({
  ...flow,
  nodes: flow.nodes.map((node) => (node.id === id ? change(node) : node)),
})

function retarget(flow: Flow, edge: Edge, to: string): Flow {
  return update(flow, edge.from, (node) =>
    edge.kind === 'route'
      ? { ...node, routes: (node.routes ?? []).map((one, at) => (at === edge.at ? lead(one, to) : one)) }
      : { ...node, next: (node.next ?? []).map((one, at) => (at === edge.at ? lead(one, to) : one)) },
  )
}

const retargetAll = (flow: Flow, edges: Edge[], to: string) => edges.reduce((of, edge) => retarget(of, edge, to), flow)

const edgesTo = (flow: Flow, ids: Set<string>) => flow.nodes.flatMap(outsOf).filter((edge) => ids.has(edge.to))

const PREFIX: Record<NodeType, string> = {
  START: 'start',
  FILL: 'fill',
  APPROVE: 'approve',
  CIRCULATE: 'copy',
  SPLIT: 'split',
  JOIN: 'join',
  SERVICE: 'service',
  SUB: 'sub',
  WAIT: 'wait',
  END: 'end',
}

function newId(flow: Flow, type: NodeType, taken: string[] = []): string {
  const used = new Set([...flow.nodes.map((node) => node.id), ...taken].map((id) => id.toLowerCase()))
  for (let n = 1; ; n += 1) if (!used.has(`${PREFIX[type]}${n}`)) return `${PREFIX[type]}${n}`
}

/** A name that no node has yet: the name itself, or with a number. */
function newName(flow: Flow, name: string, locale: 'zh' | 'en', taken: string[] = []): string {
  const used = new Set([...flow.nodes.map((node) => (locale === 'zh' ? node.name : node.name_i18n?.en)), ...taken])
  if (!used.has(name)) return name
  const base = name.replace(/ \d+$/, '')
  for (let n = 2; ; n += 1) if (!used.has(`${base} ${n}`)) return `${base} ${n}`
}

const behind = (flow: Flow, id: string | undefined, added: FlowNode[]): Flow => {
  const at = flow.nodes.findIndex((node) => node.id === id)
  return { ...flow, nodes: [...flow.nodes.slice(0, at + 1), ...added, ...flow.nodes.slice(at + 1)] }
}

/** Takes away what could be reached before and cannot be reached now. */
function sweep(before: Flow, after: Flow): Flow {
  const starts = (flow: Flow) => flow.nodes.filter((node) => node.type === 'START').map((node) => node.id)
  const was = reachFrom(indexOf(before), starts(before))
  const is = reachFrom(indexOf(after), starts(after))
  const known = new Set(before.nodes.map((node) => node.id))
  return { ...after, nodes: after.nodes.filter(({ id }) => is.has(id) || (known.has(id) && !was.has(id))) }
}

export interface Changed {
  flow: Flow
  /** The node to go on with. */
  id: string
}

export interface Names {
  zh: string
  en: string
}

/** Adds a node at a place. */
export function addNode(flow: Flow, place: Edge[], type: NodeType, names?: Names): Changed {
  const id = newId(flow, type)
  const to = place[0]?.to
  const node: FlowNode = { id, type }
  if (names) {
    node.name = newName(flow, names.zh, 'zh')
    node.name_i18n = { en: newName(flow, names.en, 'en') }
  }
  if (type === 'FILL' || type === 'APPROVE' || type === 'CIRCULATE') node.participants = []
  if (type !== 'END' && to) node.next = [to]
  const next = retargetAll(behind(flow, place[0]?.from, [node]), place, id)
  return { flow: type === 'END' ? sweep(flow, next) : next, id }
}

/** Adds branches that come together again. */
export function addSplit(flow: Flow, place: Edge[], kind: SplitKind): Changed {
  const [id, join] = [newId(flow, 'SPLIT'), newId(flow, 'JOIN')]
  const to = place[0]?.to ?? ''
  const routes: Route[] =
    kind === 'AND'
      ? [join, join]
      : [{ to: join, when: '' }, kind === 'XOR' ? { to: join, default: true } : { to: join, when: '' }]
  const added: FlowNode[] = [
    { id, type: 'SPLIT', kind, routes },
    { id: join, type: 'JOIN', of: id, next: [to] },
  ]
  return { flow: retargetAll(behind(flow, place[0]?.from, added), place, id), id }
}

/** Ends a branch at a place that leads to where the branches come together. */
export const endHere = (flow: Flow, place: Edge[]): Changed => addNode(flow, place, 'END')

const without = (flow: Flow, ids: Set<string>): Flow => ({
  ...flow,
  nodes: flow.nodes.filter((node) => !ids.has(node.id)),
})

/** Whether an item can go: not the start, nor the end of the whole workflow. */
export function canRemove(flow: Flow, id: string): boolean {
  const spot = spotOf(treeOf(flow), id)
  if (!spot) return true
  const { type } = spot.item.node
  return type !== 'START' && !(type === 'END' && spot.merge === null)
}

/** Removes an item with all that is inside it; what leads to it leads to what is behind it. */
export function removeItem(flow: Flow, id: string): Flow {
  const spot = spotOf(treeOf(flow), id)
  if (!spot) return without(flow, new Set([id]))
  if (!canRemove(flow, id)) return flow
  const ids = new Set(idsIn(spot.item))
  let to = spot.lane.places[spot.at + 1]?.[0]?.to ?? spot.merge
  if (to === null || ids.has(to)) {
    const end = flow.nodes.find((node) => node.type === 'END' && ids.has(node.id))
    if (!end) return flow
    ids.delete(end.id) // every branch has an end of its own: one of them stays
    to = end.id
  }
  const from = edgesTo(flow, new Set([spot.item.node.id])).filter((edge) => !ids.has(edge.from))
  return sweep(flow, without(retargetAll(flow, from, to), ids))
}

/** A part of a workflow that was copied or cut. */
export interface Clip {
  nodes: FlowNode[]
  head: string
}

export function clipOf(flow: Flow, id: string): Clip | null {
  const spot = spotOf(treeOf(flow), id)
  if (!spot || spot.item.node.type === 'START') return null
  const ids = new Set(idsIn(spot.item))
  return { nodes: flow.nodes.filter((node) => ids.has(node.id)), head: spot.item.node.id }
}

/** Names ids of other nodes in the keys that hold them. */
function renamed(node: FlowNode, ids: Map<string, string>): FlowNode {
  const name = (id: unknown) => (typeof id === 'string' ? (ids.get(id) ?? id) : id)
  const deep = (value: unknown, key: string): unknown => {
    if (Array.isArray(value))
      return value.map((one) =>
        key === 'targets' || key === 'next' || key === 'routes'
          ? typeof one === 'string'
            ? name(one)
            : deep(one, key)
          : deep(one, ''),
      )
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, deep(one, inner)]))
    return key === 'to' || key === 'of' || key === 'node' ? name(value) : value
  }
  const { id, ...rest } = node
  return { id: ids.get(id) ?? id, ...(deep(rest, '') as object) } as FlowNode
}

/** A copy of nodes with ids of its own. What ran at a node under a former id stays with the node that was copied. */
function fresh(flow: Flow, clip: Clip): Clip {
  const ids = new Map<string, string>()
  for (const node of clip.nodes) ids.set(node.id, newId(flow, node.type, [...ids.values()]))
  const zh: string[] = []
  const en: string[] = []
  const nodes = clip.nodes.map((one) => {
    const node = renamed(one, ids)
    delete node.renamedFrom
    if (node.name) {
      node.name = newName(flow, node.name, 'zh', zh)
      zh.push(node.name)
    }
    if (node.name_i18n?.en) {
      const name = newName(flow, node.name_i18n.en, 'en', en)
      en.push(name)
      node.name_i18n = { ...node.name_i18n, en: name }
    }
    return node
  })
  return { nodes, head: ids.get(clip.head) ?? clip.head }
}

function insert(flow: Flow, place: Edge[], clip: Clip): Changed {
  const inside = new Set(clip.nodes.map((node) => node.id))
  const to = place[0]?.to ?? ''
  let next = behind(flow, place[0]?.from, clip.nodes)
  const out = clip.nodes.flatMap(outsOf).filter((edge) => !inside.has(edge.to))
  next = retargetAll(next, out, to)
  return { flow: sweep(flow, retargetAll(next, place, clip.head)), id: clip.head }
}

/** Puts a copy of a part at a place. */
export const paste = (flow: Flow, place: Edge[], clip: Clip): Changed => insert(flow, place, fresh(flow, clip))

/** Moves an item to a place outside of it. */
export function moveItem(flow: Flow, id: string, place: Edge[]): Changed {
  const clip = clipOf(flow, id)
  if (!clip) return { flow, id }
  const inside = new Set(clip.nodes.map((node) => node.id))
  if (place.length === 0 || place.some((edge) => inside.has(edge.from) || edge.to === clip.head)) return { flow, id }
  const rest = removeItem(flow, id)
  if (rest === flow) return { flow, id }
  const nodes = indexOf(rest)
  const now = place.flatMap((edge) => {
    const node = nodes.get(edge.from)
    return node ? outsOf(node).filter((one) => one.kind === edge.kind && one.at === edge.at) : []
  })
  return now.length === place.length ? insert(rest, now, clip) : { flow, id }
}

/** The place that an item moves to by one step; null where there is none. */
export function stepPlace(flow: Flow, id: string, by: 1 | -1): Edge[] | null {
  const spot = spotOf(treeOf(flow), id)
  if (!spot || spot.item.node.type === 'START' || spot.item.node.type === 'END') return null
  const place = spot.lane.places[by < 0 ? spot.at - 1 : spot.at + 2]
  return place && place.length > 0 ? place : null
}

// Branches.

const ordered = (routes: Route[]): Route[] =>
  routes.some((one) => typeof one !== 'string' && one.order !== undefined)
    ? routes.map((one, at) => (typeof one === 'string' ? { to: one, order: at + 1 } : { ...one, order: at + 1 }))
    : routes

const isDefault = (route: Route | undefined) => typeof route !== 'string' && route?.default === true

export function addBranch(flow: Flow, id: string): Flow {
  const spot = spotOf(treeOf(flow), id)
  const split = spot?.item.node
  if (!spot || split?.type !== 'SPLIT') return flow
  let to = spot.item.join?.id ?? spot.lane.places[spot.at + 1]?.[0]?.to
  let next = flow
  if (!to) {
    const end = newId(flow, 'END')
    next = behind(flow, id, [{ id: end, type: 'END' }])
    to = end
  }
  const target = to
  return update(next, id, (node) => {
    const routes = [...(node.routes ?? [])]
    const at = isDefault(routes.at(-1)) ? routes.length - 1 : routes.length
    routes.splice(at, 0, node.kind === 'AND' ? target : { to: target, when: '' })
    return { ...node, routes: ordered(routes) }
  })
}

/** Removes a branch. Of the last but one, the other stays as a part of the lane around. */
export function removeBranch(flow: Flow, id: string, at: number): Flow {
  const spot = spotOf(treeOf(flow), id)
  const split = spot?.item.node
  if (!spot || split?.type !== 'SPLIT' || !split.routes) return flow
  const routes = split.routes.filter((_, i) => i !== at)
  if (routes.length > 1)
    return sweep(
      flow,
      update(flow, id, (node) => ({ ...node, routes: ordered(routes) })),
    )
  const [last] = routes
  if (last === undefined) return removeItem(flow, id)
  const join = spot.item.join
  const after = join ? outsOf(join)[0]?.to : undefined
  const lone = typeof last === 'string' ? last : last.to
  let next = retargetAll(flow, edgesTo(flow, new Set([id])), join && lone === join.id && after ? after : lone)
  if (join && after)
    next = retargetAll(
      next,
      edgesTo(next, new Set([join.id])).filter((edge) => edge.from !== id),
      after,
    )
  return sweep(flow, without(next, new Set(join ? [id, join.id] : [id])))
}

export function moveBranch(flow: Flow, id: string, at: number, by: 1 | -1): Flow {
  return update(flow, id, (node) => {
    const routes = [...(node.routes ?? [])]
    const [one] = routes.splice(at, 1)
    if (one === undefined || at + by < 0 || at + by > routes.length) return node
    routes.splice(at + by, 0, one)
    return { ...node, routes: ordered(routes) }
  })
}

/** Puts a copy of a branch behind it. */
export function copyBranch(flow: Flow, id: string, at: number): Flow {
  const item = allItems(treeOf(flow).lane).find((one) => one.node.id === id) as Item | undefined
  const branch = item?.branches[at]
  const route = item?.node.routes?.[at]
  if (!item || !branch || route === undefined) return flow
  const ids = new Set(branch.items.flatMap(idsIn))
  const nodes = flow.nodes.filter((node) => ids.has(node.id))
  const clip = fresh(flow, { nodes, head: branch.edge.to })
  const copied = lead(route, nodes.length > 0 ? clip.head : branch.edge.to)
  if (typeof copied !== 'string') delete copied.default
  const next = behind(flow, nodes.at(-1)?.id ?? id, clip.nodes)
  return update(next, id, (node) => {
    const routes = [...(node.routes ?? [])]
    const place = isDefault(route) ? at : at + 1
    routes.splice(place, 0, copied)
    return { ...node, routes: ordered(routes) }
  })
}

export function setNode(flow: Flow, id: string, change: (node: FlowNode) => FlowNode): Flow {
  return update(flow, id, change)
}

export const hasDisagree = (node: FlowNode) => outsOf(node).some((edge) => edge.kind === 'disagree')

/** Gives an approval a way of its own for disagreement, which ends the workflow as long as nothing else is drawn there. */
export function setDisagree(flow: Flow, id: string, on: boolean): Flow {
  const node = flow.nodes.find((one) => one.id === id)
  if (!node || hasDisagree(node) === on) return flow
  if (!on)
    return sweep(
      flow,
      update(flow, id, (one) => ({
        ...one,
        next: (one.next ?? []).filter((way) => typeof way === 'string' || way.exit !== 'disagree'),
      })),
    )
  const end = newId(flow, 'END')
  const added = behind(flow, id, [{ id: end, type: 'END', result: 'REJECTED' }])
  return update(added, id, (one) => ({ ...one, next: [...(one.next ?? []), { to: end, exit: 'disagree' }] }))
}

/** What a kind of branching does not take is left out: conditions of AND, a default beside OR. */
export function setKind(flow: Flow, id: string, kind: SplitKind): Flow {
  return update(flow, id, (node) => ({
    ...node,
    kind,
    routes: (node.routes ?? []).map((route, at, all) => {
      const object = typeof route === 'string' ? { to: route } : { ...route }
      if (kind === 'AND') {
        const { when: _, default: __, ...rest } = object as Exclude<Route, string>
        return Object.keys(rest).length === 1 ? rest.to : rest
      }
      if (kind === 'XOR' && at === all.length - 1 && !all.some(isDefault) && !('when' in object && object.when))
        return { ...object, default: true }
      return 'when' in object || 'default' in object ? object : { ...object, when: '' }
    }),
  }))
}

/** The smallest workflow of a model. */
export const emptyFlow = (schemaCode: string, names: Names, start: Names): Flow => ({
  schemaCode,
  name: names.zh,
  ...(names.en && { name_i18n: { en: names.en } }),
  nodes: [
    { id: 'start', type: 'START', name: start.zh, name_i18n: { en: start.en }, next: ['end'] },
    { id: 'end', type: 'END' },
  ],
})
