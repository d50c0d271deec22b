import type { Range } from './range'

export interface Target {
  row: number
  column: number
  text: string
}

export interface PastePlan {
  /** The cells that are written; rows beyond the last one are added. */
  targets: Target[]
  /** What is selected afterwards. */
  range: Range
  added: number
  /** What did not fit: rows beyond the most, columns beyond the last, cells that cannot be written. */
  lostRows: number
  lostColumns: number
  readOnly: number
}

interface Room {
  rows: number
  maxRows: number
  columns: number
  writable: (column: number, row: number) => boolean
}

/** How often a block fits into what is selected: a single value, or a pattern, fills the range. */
const times = (selected: number, block: number) => (selected > block && selected % block === 0 ? selected / block : 1)

/** Where the cells of a block go when it is pasted onto a range. */
export function planPaste(block: string[][], onto: Range, room: Room): PastePlan {
  const height = block.length
  const width = Math.max(0, ...block.map((row) => row.length))
  if (height === 0 || width === 0)
    return { targets: [], range: onto, added: 0, lostRows: 0, lostColumns: 0, readOnly: 0 }
  const rows = height * times(onto.bottom - onto.top + 1, height)
  const columns = width * times(onto.right - onto.left + 1, width)
  const lastRow = Math.min(onto.top + rows, Math.max(room.maxRows, room.rows)) - 1
  const lastColumn = Math.min(onto.left + columns, room.columns) - 1
  const targets: Target[] = []
  let readOnly = 0
  for (let row = onto.top; row <= lastRow; row++) {
    const line = block[(row - onto.top) % height] ?? []
    for (let column = onto.left; column <= lastColumn; column++) {
      const text = line[(column - onto.left) % width]
      if (text === undefined) continue
      if (room.writable(column, row)) targets.push({ row, column, text })
      else if (text !== '') readOnly++
    }
  }
  return {
    targets,
    range: { top: onto.top, left: onto.left, bottom: lastRow, right: lastColumn },
    added: Math.max(0, lastRow + 1 - room.rows),
    lostRows: onto.top + rows - 1 - lastRow,
    lostColumns: onto.left + columns - 1 - lastColumn,
    readOnly,
  }
}
