/** A row on the wire; rows that are not saved yet have no id, and `key` tells them apart on screen. */
export interface SheetRow {
  id?: string
  key?: string
  [code: string]: unknown
}

let made = 0
export const newKey = () => `new-${++made}`
export const keyOf = (row: SheetRow, index: number) => row.id ?? row.key ?? `row-${index}`

export function moveRow(rows: SheetRow[], from: number, to: number): SheetRow[] {
  const next = [...rows]
  const [row] = next.splice(from, 1)
  if (row) next.splice(to, 0, row)
  return next
}
