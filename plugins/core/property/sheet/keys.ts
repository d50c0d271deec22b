import type { KeyboardEvent } from 'react'
import type { Grid } from './grid-commands'
import { at, isSingle, rangeOf, step } from './range'
import { isNothing } from './rows'

/** What keys do while a cell is selected and none is being edited. */
export function gridKey(event: KeyboardEvent, grid: Grid, page: number) {
  if (event.nativeEvent.isComposing) return
  const ctrl = event.ctrlKey || event.metaKey
  const done = () => {
    event.preventDefault()
    event.stopPropagation()
  }
  if (ctrl && !event.altKey && control(event, grid)) return done()
  if (event.altKey) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    grid.move(event.key === 'ArrowUp' ? -1 : 1)
    return done()
  }
  if (plain(event, grid) || arrow(event, grid, page, ctrl)) done()
}

function control({ key, shiftKey }: KeyboardEvent, grid: Grid): boolean {
  switch (key.toLowerCase()) {
    case 'z':
      if (shiftKey) grid.redo()
      else grid.undo()
      return true
    case 'y':
      grid.redo()
      return true
    case 'd':
      grid.fillDown()
      return true
    case 'a':
      grid.selectAll()
      return true
  }
  return false
}

function plain({ key, shiftKey }: KeyboardEvent, grid: Grid): boolean {
  const { selection } = grid.now()
  switch (key) {
    case 'F2':
      grid.edit(selection.active)
      return true
    case 'Delete':
    case 'Backspace':
      grid.clear()
      return true
    case 'Escape':
      if (isSingle(selection)) return false
      grid.select(at(selection.active.row, selection.active.column))
      return true
    case 'Enter':
      return grid.go(shiftKey ? -1 : 1, 'column')
    case 'Tab':
      return grid.go(shiftKey ? -1 : 1, 'row')
    case ' ': {
      if (!shiftKey) return false
      const { top, bottom } = rangeOf(selection)
      grid.selectRows(top, bottom)
      return true
    }
  }
  return false
}

function arrow({ key, shiftKey }: KeyboardEvent, grid: Grid, page: number, ctrl: boolean): boolean {
  const { selection, rows, columns } = grid.now()
  if (rows.length === 0) return false
  const from = shiftKey ? selection.head : selection.active
  const filled = (cell: { row: number; column: number }) =>
    !isNothing(rows[cell.row]?.[columns[cell.column]?.propertyCode ?? ''])
  const next = step(from, { key, ctrl }, grid.size(), page, filled)
  if (!next) return false
  grid.select(shiftKey ? { active: selection.active, head: next } : at(next.row, next.column))
  return true
}
