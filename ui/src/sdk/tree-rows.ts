/** A node as a tree draws it. */
export interface TreeItem {
  id: string
  parentId: string | null
  title: string
  code?: string
  leaf: boolean
  /** Its state: a dot in its color, and its word. */
  state?: { label: string; color: string | null }
  /** A figure at the end of its line. */
  figure?: string
  /** Of a search: it was found, and does not only stand above something that was. */
  match?: boolean
  data?: unknown
}

export interface TreeRow {
  item: TreeItem
  /** From 1. */
  level: number
  open: boolean
  position: number
  siblings: number
}

/** The rows that are seen of a tree whose branches are read one by one. */
export function visibleRows(childrenOf: (id: string) => readonly TreeItem[] | undefined, open: ReadonlySet<string>) {
  const rows: TreeRow[] = []
  const add = (parent: string, level: number) => {
    const items = childrenOf(parent) ?? []
    for (const [at, item] of items.entries()) {
      const opened = !item.leaf && open.has(item.id)
      rows.push({ item, level, open: opened, position: at + 1, siblings: items.length })
      if (opened) add(item.id, level + 1)
    }
  }
  add('', 1)
  return rows
}

/** A search's nodes as branches, in the order of their codes. What is above is open; a branch that is found keeps its own children closed. */
export function branchesOf(items: readonly TreeItem[]) {
  const known = new Set(items.map(({ id }) => id))
  const branches = new Map<string, TreeItem[]>()
  for (const item of items) {
    const parent = item.parentId && known.has(item.parentId) ? item.parentId : ''
    const list = branches.get(parent)
    if (list) list.push(item)
    else branches.set(parent, [item])
  }
  for (const list of branches.values()) list.sort((a, b) => order(a, b))
  return branches
}

const order = (a: TreeItem, b: TreeItem) => {
  const [x, y] = [a.code ?? a.title, b.code ?? b.title]
  return x < y ? -1 : x > y ? 1 : 0
}

/** Where a key leads from a row; null when the key is none of a tree's. */
export function keyTarget(key: string, at: number, rows: readonly TreeRow[], page: number): number | null {
  const last = rows.length - 1
  const row = rows[at]
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, at + 1)
    case 'ArrowUp':
      return Math.max(0, at - 1)
    case 'Home':
      return 0
    case 'End':
      return last
    case 'PageDown':
      return Math.min(last, at + page)
    case 'PageUp':
      return Math.max(0, at - page)
    case 'ArrowLeft': {
      if (!row || row.open) return null
      for (let i = at - 1; i >= 0; i--) if ((rows[i]?.level ?? 0) < row.level) return i
      return at
    }
    default:
      return null
  }
}

/** As much of a title's end as always shows, in Latin letters; a Chinese one is as wide as two. */
const END = 12

/** A title in two parts, of which the first may be cut: what tells siblings apart, such as a number, is mostly at the end. */
export function cutTitle(title: string): readonly [start: string, end: string] {
  const letters = [...title]
  let at = letters.length
  for (let room = END; at > 0; at--) {
    room -= /[\u2e80-\uffdc]/.test(letters[at - 1] ?? '') ? 2 : 1
    if (room < 0) break
  }
  return [letters.slice(0, at).join(''), letters.slice(at).join('')]
}
