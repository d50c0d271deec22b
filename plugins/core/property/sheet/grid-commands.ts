import type { FormField } from '@sluice/sdk'
import { advance, at, type Cell, isSingle, isWholeRows, rangeOf, type Selection, wholeRows, within } from './range'
import {
  copies,
  type Edit,
  insertRows,
  isBlank,
  isNothing,
  keyed,
  keyOf,
  moveRows,
  newRow,
  removeRows,
  type SheetRow,
  writeCells,
} from './rows'
import type { Undo } from './undo'

/** A cell whose widget is open. */
export interface Editing {
  key: string
  column: number
  /** What was typed to open it; missing when it was opened without replacing its value. */
  text?: string | undefined
  /** Files that were pasted to open it. */
  files?: File[] | undefined
  /** It was left while something was on its way; the widget stays until that has come. */
  left?: boolean
}

/** What a grid is at one moment. */
export interface GridNow {
  rows: SheetRow[]
  columns: FormField[]
  selection: Selection
  open: Editing[]
  minRows: number
  maxRows: number
  /** What may be done with the rows; `edit` is of those that are stored. */
  rights: RowRights
}

export type RowRights = NonNullable<FormField['rowRights']>
export const ALL_RIGHTS: RowRights = { add: true, edit: true, delete: true }

/** What a grid's commands need from the component that draws it. */
export interface GridHost {
  now: () => GridNow
  /** What a new row begins with. */
  begin: () => Record<string, unknown>
  undo: Undo
  put: (rows: SheetRow[]) => void
  select: (selection: Selection) => void
  setOpen: (open: Editing[]) => void
  /** Puts the keyboard into the active cell. */
  focus: () => void
}

/** Everything that can be done to the rows, by whatever key, button or pointer. */
export function makeGrid(host: GridHost) {
  const { now, undo } = host
  /** The edit that goes on, once it has written something. */
  let session: Editing | null = null
  /** The boxes of open widgets whose text has not been read yet. */
  const typed = new Map<string, () => void>()
  let tabbed: number | null = null
  /** Takes what was typed in the open widget and is not a value yet. */
  let leave: (() => void) | null = null

  const size = () => ({ rows: now().rows.length, columns: now().columns.length })
  const room = () => (now().rights.add ? Math.max(0, now().maxRows - now().rows.length) : 0)
  const select = (selection: Selection) => {
    tabbed = null
    host.select(within(selection, size()))
    host.focus()
  }
  /** One step that can be undone. Rows first, then what is selected in them. */
  const change = (rows: SheetRow[], selection?: Selection) => {
    const { rows: before, selection: was } = now()
    session = null
    if (rows !== before) {
      undo.note({ rows: before, selection: was })
      host.put(keyed(rows))
    }
    if (selection) host.select(within(selection, { rows: rows.length, columns: now().columns.length }))
    host.focus()
  }
  const current = () => now().open.find((one) => !one.left) ?? null
  const readAll = () => {
    for (const read of [...typed.values()]) read()
  }
  const close = (held: (one: Editing) => boolean) => {
    session = null
    const { open } = now()
    if (open.length > 0)
      host.setOpen(open.flatMap((one) => (held(one) ? [one.left ? one : { ...one, left: true }] : [])))
  }
  const writable = (column: FormField | undefined) => !!column && !column.readOnly
  const fixed = (row: SheetRow | undefined) => !now().rights.edit && row?.id !== undefined
  /** Of edits, those of rows that may be changed. */
  const allowed = (edits: Edit[]) => {
    const stored = new Set(now().rows.flatMap((row, index) => (fixed(row) ? [keyOf(row, index)] : [])))
    return edits.filter(({ key }) => !stored.has(key))
  }
  const step = (moment: ReturnType<Undo['back']>) => {
    if (!moment) return
    session = null
    host.put(moment.rows)
    host.select(within(moment.selection, { rows: moment.rows.length, columns: now().columns.length }))
    host.focus()
  }
  const present = () => ({ rows: now().rows, selection: now().selection })

  const grid = {
    now,
    size,
    room,
    /** A row that is stored and may not be changed. */
    fixed,
    /** Takes the keyboard. */
    focus: host.focus,
    select,
    canUndo: undo.canUndo,
    canRedo: undo.canRedo,
    undo: () => step(undo.back(present())),
    redo: () => step(undo.forth(present())),
    selectAll: () => {
      const { rows, columns } = size()
      select({
        active: now().selection.active,
        head: now().selection.active,
        range: { top: 0, left: 0, bottom: rows - 1, right: columns - 1 },
      })
    },
    /** Selects without taking the keyboard. */
    point: (selection: Selection) => host.select(within(selection, size())),
    selectRows: (from: number, to: number) => select(wholeRows(from, to, size().columns)),

    /** Opens the widget of a cell; `text` replaces its value. */
    edit: (cell: Cell, text?: string, held: (one: Editing) => boolean = () => false, files?: File[]) => {
      readAll()
      const { rows, columns, open } = now()
      const row = rows[cell.row]
      if (!row || fixed(row) || !writable(columns[cell.column])) return
      const key = keyOf(row, cell.row)
      const begun = current()
      if (text !== undefined && begun?.text !== undefined && begun.key === key && begun.column === cell.column) {
        // Its widget is still on its way, and the keys are faster.
        host.setOpen(open.map((one) => (one === begun ? { ...one, text: `${begun.text}${text}` } : one)))
        return
      }
      leave?.()
      session = null
      const others = open.filter((one) => held(one) && !(one.key === key && one.column === cell.column))
      host.setOpen([...others.map((one) => ({ ...one, left: true })), { key, column: cell.column, text, files }])
    },
    current,
    /** A box of an open widget holds a text that is not read yet; null once it is. */
    typing: (box: string, read: (() => void) | null) => {
      if (read) typed.set(box, read)
      else typed.delete(box)
    },
    /** Ends editing; what was written stays, unless it is given up. */
    stop: (keep: boolean, held: (one: Editing) => boolean = () => false) => {
      if (keep) leave?.()
      if (keep) readAll()
      if (!keep && session) {
        const moment = undo.giveUp()
        if (moment) host.put(moment.rows)
      }
      close(held)
    },
    /** What the open widget does when it is left and keeps what was written; null takes back what it `was`. */
    onLeave: (next: (() => void) | null, was?: (() => void) | null) => {
      if (next || leave === was) leave = next
    },
    /** A widget that was left has nothing on its way any more. */
    sweep: (editing: Editing) => host.setOpen(now().open.filter((one) => one !== editing)),
    /** Writes what a widget says; one edit is one step to undo. */
    write: (editing: Editing, values: Record<string, unknown>) => {
      const { rows, columns, selection } = now()
      const codes = new Set(columns.filter(writable).map((column) => column.propertyCode))
      const own = Object.fromEntries(Object.entries(values).filter(([code]) => codes.has(code)))
      const next = writeCells(rows, allowed([{ key: editing.key, values: own }]))
      if (next === rows) return
      if (session?.key !== editing.key || session.column !== editing.column) undo.note({ rows, selection })
      session = editing
      host.put(next)
    },
    newRows: (count: number) => Array.from({ length: count }, () => newRow(host.begin())),
    /** Writes many cells, and rows that are added below, as one step. */
    writeAll: (edits: Edit[], added: SheetRow[], selection?: Selection) => {
      const { rows } = now()
      change(writeCells(added.length > 0 ? [...rows, ...added] : rows, allowed(edits)), selection)
    },
    clear: () => {
      const { rows, columns, selection } = now()
      const { top, bottom, left, right } = rangeOf(selection)
      const codes = columns
        .slice(left, right + 1)
        .filter(writable)
        .map((column) => column.propertyCode)
      const edits = rows.slice(top, bottom + 1).map((row, i) => ({
        key: keyOf(row, top + i),
        values: Object.fromEntries(codes.filter((code) => !isNothing(row[code])).map((code) => [code, null])),
      }))
      change(writeCells(rows, allowed(edits)))
    },
    /** The first selected row goes into those below it; one row alone takes what is above. */
    fillDown: () => {
      const { rows, columns, selection } = now()
      const { top, bottom, left, right } = rangeOf(selection)
      const from = top === bottom ? top - 1 : top
      const source = rows[from]
      if (!source) return
      const codes = columns
        .slice(left, right + 1)
        .filter(writable)
        .map((column) => column.propertyCode)
      const values = Object.fromEntries(codes.map((code) => [code, source[code] ?? null]))
      const edits = rows.slice(from + 1, bottom + 1).map((row, i) => ({ key: keyOf(row, from + 1 + i), values }))
      change(writeCells(rows, allowed(edits)))
    },
    /** A row more; an empty one at the end is that row already. */
    add: () => {
      const { rows, columns } = now()
      const first = Math.max(0, columns.findIndex(writable))
      const last = rows.at(-1)
      if (last && isBlank(last, columns, host.begin())) return select(at(rows.length - 1, first))
      if (room() === 0) return
      change([...rows, newRow(host.begin())], at(rows.length, first))
    },
    insert: (where: 'above' | 'below') => {
      const { rows, selection } = now()
      const { top, bottom } = rangeOf(selection)
      const count = Math.min(rows.length === 0 ? 1 : bottom - top + 1, room())
      if (count === 0) return
      const place = rows.length === 0 ? 0 : where === 'above' ? top : bottom + 1
      const added = Array.from({ length: count }, () => newRow(host.begin()))
      const { column } = selection.active
      change(insertRows(rows, place, added), {
        active: { row: place, column },
        head: { row: place + count - 1, column },
      })
    },
    copyRows: () => {
      const { rows, selection, columns } = now()
      const { top, bottom } = rangeOf(selection)
      const added = copies(rows.slice(top, bottom + 1)).slice(0, room())
      if (added.length === 0) return
      change(insertRows(rows, bottom + 1, added), wholeRows(bottom + 1, bottom + added.length, columns.length))
    },
    /** Takes the selected rows away, as far as the least number of rows allows. */
    remove: () => {
      const { rows, selection } = now()
      const { top, bottom } = rangeOf(selection)
      if (!grid.canRemove()) return
      change(
        removeRows(rows, top, bottom),
        at(Math.max(0, Math.min(top, rows.length - (bottom - top) - 2)), selection.active.column),
      )
    },
    canRemove: () => {
      const { rows, selection, minRows } = now()
      const { top, bottom } = rangeOf(selection)
      if (!now().rights.delete && rows.slice(top, bottom + 1).some((row) => row.id)) return false
      return rows.length > 0 && rows.length - (bottom - top + 1) >= Math.min(minRows, rows.length)
    },
    /** The selected rows change places with the one before or behind them. */
    move: (by: 1 | -1) => {
      const { top, bottom } = rangeOf(now().selection)
      grid.moveTo(top, bottom, top + by)
    },
    /** Rows go to where the first of them is number `target` then. */
    moveTo: (from: number, to: number, target: number) => {
      const { rows, selection, columns } = now()
      const place = Math.max(0, Math.min(target, rows.length - (to - from + 1)))
      if (place === from || !now().rights.edit) return
      const by = place - from
      const shifted = (cell: Cell): Cell => ({ row: cell.row + by, column: cell.column })
      const { top, bottom } = rangeOf(selection)
      const along = top === from && bottom === to && !selection.range
      change(
        moveRows(rows, from, to, place),
        along
          ? { active: shifted(selection.active), head: shifted(selection.head) }
          : wholeRows(place, place + to - from, columns.length),
      )
    },
    /** Where Enter and Tab lead; false where they lead out of the grid. */
    go: (by: 1 | -1, along: 'row' | 'column'): boolean => {
      const { rows, columns, selection } = now()
      const { active } = selection
      const start = tabbed
      const next = advance(selection, by, along, size())
      if (!next) {
        if (along === 'row') return false
        const last = rows.at(-1)
        const more = by > 0 && room() > 0 && !(last && isBlank(last, columns, host.begin()))
        if (more) grid.add()
        else host.focus() // the widget that was open has gone, and the keyboard stays where it was
        return true
      }
      if (!isSingle(selection)) select(next)
      else if (along === 'column' && by > 0 && start !== null) select(at(next.active.row, start))
      else select(next)
      if (along === 'row' && isSingle(selection)) tabbed = start ?? active.column
      return true
    },
    /** One row up or down. */
    step: (key: 'ArrowUp' | 'ArrowDown') => {
      const { row, column } = now().selection.active
      select(at(row + (key === 'ArrowUp' ? -1 : 1), column))
    },
    whole: () => isWholeRows(now().selection, size().columns),
  }
  return grid
}

export type Grid = ReturnType<typeof makeGrid>
