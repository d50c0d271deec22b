export interface Cell {
  row: number
  column: number
}

/** What is selected: from the cell that keys and pastes go to, to the opposite corner. */
export interface Selection {
  active: Cell
  head: Cell
  /** What is selected while the active cell walks around in it; otherwise both corners say it. */
  range?: Range
}

/** Both ends included. */
export interface Range {
  top: number
  bottom: number
  left: number
  right: number
}

export interface Size {
  rows: number
  columns: number
}

export const at = (row: number, column: number): Selection => ({ active: { row, column }, head: { row, column } })

export const rangeOf = ({ active, head, range }: Selection): Range =>
  range ?? {
    top: Math.min(active.row, head.row),
    bottom: Math.max(active.row, head.row),
    left: Math.min(active.column, head.column),
    right: Math.max(active.column, head.column),
  }

export const isSingle = (selection: Selection) => {
  const { top, bottom, left, right } = rangeOf(selection)
  return top === bottom && left === right
}

const clamp = (n: number, size: number) => Math.max(0, Math.min(n, size - 1))

/** The selection as far as the grid reaches now. */
export function within({ active, head, range }: Selection, { rows, columns }: Size): Selection {
  const cell = (c: Cell): Cell => ({ row: clamp(c.row, rows), column: clamp(c.column, columns) })
  const corners = { active: cell(active), head: cell(head) }
  if (!range) return corners
  const { row: top, column: left } = cell({ row: range.top, column: range.left })
  const { row: bottom, column: right } = cell({ row: range.bottom, column: range.right })
  return { ...corners, range: { top, bottom, left, right } }
}

/** Whole rows, the active cell in the first column. */
export const wholeRows = (from: number, to: number, columns: number): Selection => ({
  active: { row: from, column: 0 },
  head: { row: to, column: columns - 1 },
})

export const isWholeRows = (selection: Selection, columns: number) => {
  const { left, right } = rangeOf(selection)
  return left === 0 && right === columns - 1 && columns > 1
}

/** The next edge of a run of filled cells, as Ctrl and an arrow go: to the end of this one or the start of the next. */
function edge(from: number, step: number, size: number, filled: (n: number) => boolean): number {
  const last = step > 0 ? size - 1 : 0
  if (from === last) return from
  let n = from + step
  if (filled(from) && filled(n)) {
    while (n !== last && filled(n + step)) n += step
    return n
  }
  while (n !== last && !filled(n)) n += step
  return n
}

export interface Stroke {
  key: string
  ctrl: boolean
}

/** Where a key leads from a cell; null for keys that lead nowhere. `page` is the number of rows in sight. */
export function step(
  from: Cell,
  { key, ctrl }: Stroke,
  size: Size,
  page: number,
  filled: (cell: Cell) => boolean,
): Cell | null {
  const { row, column } = from
  const down = (by: number) =>
    ctrl ? edge(row, by, size.rows, (n) => filled({ row: n, column })) : clamp(row + by, size.rows)
  const right = (by: number) =>
    ctrl ? edge(column, by, size.columns, (n) => filled({ row, column: n })) : clamp(column + by, size.columns)
  switch (key) {
    case 'ArrowUp':
      return { row: down(-1), column }
    case 'ArrowDown':
      return { row: down(1), column }
    case 'ArrowLeft':
      return { row, column: right(-1) }
    case 'ArrowRight':
      return { row, column: right(1) }
    case 'Home':
      return { row: ctrl ? 0 : row, column: 0 }
    case 'End':
      return { row: ctrl ? size.rows - 1 : row, column: size.columns - 1 }
    case 'PageUp':
      return { row: clamp(row - page, size.rows), column }
    case 'PageDown':
      return { row: clamp(row + page, size.rows), column }
  }
  return null
}

/**
 * Where Tab and Enter lead: through the selected range and around in it when there is one, else through the grid; null
 * where they leave it.
 */
export function advance(selection: Selection, by: 1 | -1, along: 'row' | 'column', size: Size): Selection | null {
  const { active } = selection
  const single = isSingle(selection)
  const { top, bottom, left, right } = single
    ? { top: 0, bottom: size.rows - 1, left: 0, right: size.columns - 1 }
    : rangeOf(selection)
  const [width, height] = [right - left + 1, bottom - top + 1]
  if (single && along === 'column') {
    const row = active.row + by
    return row < 0 || row >= size.rows ? null : at(row, active.column)
  }
  const place =
    along === 'row'
      ? (active.row - top) * width + (active.column - left)
      : (active.column - left) * height + (active.row - top)
  const next = place + by
  if (single && (next < 0 || next >= width * height)) return null
  const n = (next + width * height) % (width * height)
  const cell =
    along === 'row'
      ? { row: top + Math.floor(n / width), column: left + (n % width) }
      : { row: top + (n % height), column: left + Math.floor(n / height) }
  if (single) return { active: cell, head: cell }
  return { active: cell, head: selection.head, range: { top, bottom, left, right } }
}
