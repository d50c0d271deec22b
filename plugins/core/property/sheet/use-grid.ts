import { type FormField, type FormWidgetProps, numberSetting, useRowDefaults } from '@sluice/sdk'
import { useEffect, useRef, useState } from 'react'
import { ALL_RIGHTS, type Editing, type GridNow, makeGrid } from './grid-commands'
import { at, type Selection } from './range'
import { isNothing, keyOf, type SheetRow } from './rows'
import { makeUndo } from './undo'

const NONE: SheetRow[] = []
const DEFAULT_ROWS = 500

type Props = Pick<FormWidgetProps<SheetRow[]>, 'field' | 'value' | 'onChange'>

/** Whether rows that came from the form are those that the grid gave it, besides what rules computed. */
function sameRows(a: SheetRow[], b: SheetRow[], columns: FormField[]): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  return a.every((row, i) => {
    const other = b[i] as SheetRow
    if (row === other) return true
    if (keyOf(row, i) !== keyOf(other, i)) return false
    return columns.every(
      ({ propertyCode: code, readOnly }) =>
        readOnly || row[code] === other[code] || (isNothing(row[code]) && isNothing(other[code])),
    )
  })
}

/** The rows of a sub-table with their selection, open widgets and undo; all that changes them goes through `grid`. */
export function useGrid({ field, value, onChange }: Props) {
  const columns = (field.children ?? []) as FormField[]
  const rows = value ?? NONE
  const [selection, setSelection] = useState<Selection>(at(0, 0))
  const [open, setOpen] = useState<Editing[]>([])
  /** Counts the times that the keyboard was called into the grid. */
  const [called, setCalled] = useState(0)
  const now = useRef<GridNow>({ rows, columns, selection, open, minRows: 0, maxRows: DEFAULT_ROWS, rights: ALL_RIGHTS })
  const change = useRef(onChange)
  change.current = onChange
  const begun = useRowDefaults()
  const defaults = useRef(begun)
  defaults.current = begun
  const [undo] = useState(makeUndo)
  const [grid] = useState(() =>
    makeGrid({
      now: () => now.current,
      begin: () => defaults.current(now.current.columns),
      undo,
      put: (next) => {
        now.current = { ...now.current, rows: next }
        change.current(next.length === 0 ? null : next)
      },
      select: (next) => {
        now.current = { ...now.current, selection: next }
        setSelection(next)
      },
      setOpen: (next) => {
        now.current = { ...now.current, open: next }
        setOpen(next)
      },
      focus: () => setCalled((n) => n + 1),
    }),
  )
  // Rows that somebody else put into the form (a merge, a reset) cannot be undone here.
  if (!sameRows(now.current.rows, rows, columns)) undo.clear()
  now.current = {
    rows,
    columns,
    selection,
    open,
    minRows: numberSetting(field, 'minRows') ?? 0,
    maxRows: numberSetting(field, 'maxRows') ?? DEFAULT_ROWS,
    rights: field.rowRights ?? ALL_RIGHTS,
  }
  // What is selected or being edited may be gone.
  useEffect(() => {
    const last = Math.max(0, rows.length - 1)
    if (Math.max(selection.active.row, selection.head.row, selection.range?.bottom ?? 0) > last)
      setSelection(at(Math.min(selection.active.row, last), selection.active.column))
    if (open.length > 0) {
      const keys = new Set(rows.map(keyOf))
      if (open.some((one) => !keys.has(one.key))) setOpen(open.filter((one) => keys.has(one.key)))
    }
  }, [rows, selection, open])
  return { grid, rows, columns, selection, open, called }
}

export type GridState = ReturnType<typeof useGrid>
