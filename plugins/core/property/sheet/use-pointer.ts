import { type MouseEvent, type PointerEvent, type RefObject, useRef, useState } from 'react'
import type { Editing, Grid } from './grid-commands'
import { at, type Cell, isWholeRows, rangeOf } from './range'
import { ROW } from './use-row-window'

/** Rows on their way to another place. */
export interface Drag {
  from: number
  to: number
  /** The number that the first of them would get; the line is drawn in front of it. */
  target: number
  line: number
}

const cellOf = (element: Element | null): Cell | null => {
  const place = element?.closest<HTMLElement>('[data-at]')?.dataset.at
  if (!place) return null
  const [row = 0, column = 0] = place.split(':').map(Number)
  return { row, column }
}

const rowOf = (element: Element | null): number | null => {
  const row = element?.closest<HTMLElement>('[data-row]')?.dataset.row
  return row === undefined ? null : Number(row)
}

/** Selects cells and whole rows with the pointer, and drags rows by their numbers. */
export function usePointer(grid: Grid, scroll: RefObject<HTMLDivElement | null>, held: (one: Editing) => boolean) {
  const pulling = useRef<'cells' | { from: number; to: number; y: number } | null>(null)
  const [drag, setDrag] = useState<Drag | null>(null)

  const onPointerDown = (event: PointerEvent) => {
    const target = event.target as Element
    if (target.closest('[data-editor]')) return
    const { selection, columns, rows } = grid.now()
    const cell = cellOf(target)
    const row = rowOf(target)
    if (rows.length === 0) {
      // Without rows the whole grid is the place to type and paste.
      if (event.button === 0 && event.pointerType !== 'touch') event.preventDefault()
      return grid.focus()
    }
    if (!cell && row === null) return
    const { top, bottom } = rangeOf(selection)
    if (event.button !== 0) {
      // A menu opens for what is selected, or for the cell below the pointer.
      const inside = cell ? contains(rangeOf(selection), cell) : row !== null && row >= top && row <= bottom
      if (!inside)
        grid.select(
          cell
            ? at(cell.row, cell.column)
            : { ...at(row ?? 0, 0), head: { row: row ?? 0, column: columns.length - 1 } },
        )
      return
    }
    if (event.pointerType !== 'touch') event.preventDefault() // the keyboard goes into the cell, not where the pointer is
    grid.stop(true, held)
    if (cell) {
      grid.select(event.shiftKey ? { active: selection.active, head: cell } : at(cell.row, cell.column))
      if (event.pointerType === 'touch') return
      pulling.current = 'cells'
    } else if (row !== null) {
      if (event.shiftKey) return grid.selectRows(selection.active.row, row)
      const along = isWholeRows(selection, columns.length) && row >= top && row <= bottom
      if (!along) grid.selectRows(row, row)
      pulling.current = { from: along ? top : row, to: along ? bottom : row, y: event.clientY }
    }
    scroll.current?.setPointerCapture?.(event.pointerId)
  }

  const onPointerMove = (event: PointerEvent) => {
    const box = scroll.current
    if (!pulling.current || !box) return
    const edges = box.getBoundingClientRect()
    if (event.clientY < edges.top + ROW) box.scrollTop -= ROW / 2
    else if (event.clientY > edges.bottom - ROW / 2) box.scrollTop += ROW / 2
    if (pulling.current === 'cells') {
      const head = cellOf(document.elementFromPoint(event.clientX, event.clientY))
      const { selection } = grid.now()
      if (head && (head.row !== selection.head.row || head.column !== selection.head.column))
        grid.select({ active: selection.active, head })
      return
    }
    const { from, to, y } = pulling.current
    if (!drag && Math.abs(event.clientY - y) < 4) return
    const line = Math.max(
      0,
      Math.min(Math.round((event.clientY - edges.top - ROW + box.scrollTop) / ROW), grid.size().rows),
    )
    setDrag({ from, to, line, target: line > to ? line - (to - from + 1) : Math.min(line, from) })
  }

  const onPointerUp = () => {
    pulling.current = null
    if (!drag) return
    setDrag(null)
    if (drag.target !== drag.from) grid.moveTo(drag.from, drag.to, drag.target)
  }
  const onPointerCancel = () => {
    pulling.current = null
    setDrag(null)
  }
  const onDoubleClick = ({ target, clientX, clientY }: MouseEvent) => {
    // The captured pointer makes the whole grid the target.
    const under = document.elementFromPoint?.(clientX, clientY) ?? (target as Element)
    const cell = under.closest('[data-editor]') ? null : cellOf(under)
    if (cell) grid.edit(cell, undefined, held)
  }
  return { drag, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onDoubleClick } }
}

const contains = (range: ReturnType<typeof rangeOf>, { row, column }: Cell) =>
  row >= range.top && row <= range.bottom && column >= range.left && column <= range.right
