import { isUnread, resolveProperty, useFormPlace, useTextContext } from '@sluice/sdk'
import { type ClipboardEvent, useCallback, useRef, useState } from 'react'
import { type Copied, copyRange } from './clipboard'
import type { Editing, Grid } from './grid-commands'
import { type PastePlan, planPaste } from './paste'
import { rangeOf } from './range'
import { type Read, readTexts } from './read-texts'
import { type Edit, keyOf } from './rows'
import { parseTsv } from './tsv'

/** What a paste came to, said once. */
export interface Notice {
  pasted: number
  unread: number
  lostRows: number
  lostColumns: number
  readOnly: number
}

interface Place {
  schemaCode: string
  sheet: string
  values: () => Record<string, unknown>
}

/** Values that were copied here go back as they were: a name may belong to two people, a figure be rounded in its text. */
function ownValues(
  plan: PastePlan,
  copied: Copied,
  onto: { top: number; left: number },
  types: number[],
): Read[] | null {
  const height = copied.values.length
  const width = copied.types.length
  const fits = plan.targets.every(({ column }) => types[column] === copied.types[(column - onto.left) % width])
  if (!fits) return null
  return plan.targets.map((target) => ({
    ...target,
    value: copied.values[(target.row - onto.top) % height]?.[(target.column - onto.left) % width] ?? null,
  }))
}

/** Copies and pastes ranges, to and from spreadsheets. */
export function useClipboard(
  grid: Grid,
  { schemaCode, sheet, values }: Place,
  held: (one: Editing) => boolean = () => false,
) {
  const context = useTextContext()
  const { sheetCode, objectId } = useFormPlace()
  const copied = useRef<Copied | null>(null)
  const [notice, setNotice] = useState<Notice | null>(null)
  const [reading, setReading] = useState(false)

  const onCopy = (event: ClipboardEvent, cut: boolean) => {
    const { rows, columns, selection } = grid.now()
    if (rows.length === 0) return
    event.preventDefault()
    copied.current = copyRange(rows, columns, selection, context)
    event.clipboardData.setData('text/plain', copied.current.text)
    if (cut) grid.clear()
  }

  const paste = async (text: string) => {
    const { rows, columns, selection, maxRows, rights } = grid.now()
    const writable = (column: number, row: number) => columns[column]?.readOnly !== true && !grid.fixed(rows[row])
    const onto = rows.length === 0 ? { top: 0, bottom: 0, left: 0, right: 0 } : rangeOf(selection)
    const plan = planPaste(parseTsv(text), onto, {
      rows: rows.length,
      maxRows: rights.add ? maxRows : rows.length,
      columns: columns.length,
      writable,
    })
    // Rows are known by their keys: somebody may go on working while names are looked up.
    const added = grid.newRows(plan.added)
    const all = [...rows, ...added]
    const keys = all.map(keyOf)
    const same = copied.current?.text === text.replace(/\r\n?/g, '\n') ? copied.current : null
    const types = columns.map((column) => column.propertyType)
    setReading(true)
    try {
      const read =
        (same && ownValues(plan, same, onto, types)) ??
        (await readTexts(
          plan.targets,
          columns,
          (row) => all[row] ?? {},
          { schemaCode, sheet, sheetCode, objectId, values },
          context,
        ))
      const edits = read.map(
        ({ row, column, value }): Edit => ({
          key: keys[row] ?? '',
          values: { [columns[column]?.propertyCode ?? '']: value },
        }),
      )
      grid.writeAll(edits, added, {
        active: { row: plan.range.top, column: plan.range.left },
        head: { row: plan.range.bottom, column: plan.range.right },
      })
      const unread = read.filter(({ value }) => isUnread(value)).length
      const { lostRows, lostColumns, readOnly } = plan
      const said = unread + lostRows + lostColumns + readOnly > 0
      setNotice(said ? { pasted: read.length - unread, unread, lostRows, lostColumns, readOnly } : null)
    } finally {
      setReading(false)
    }
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    const files = [...event.clipboardData.files]
    const { columns, selection } = grid.now()
    const column = columns[selection.active.column]
    if (files.length > 0 && column && resolveProperty(column.propertyType).takesFiles) {
      event.preventDefault()
      if (grid.size().rows === 0) grid.add()
      return grid.edit(grid.now().selection.active, undefined, held, files)
    }
    if (text === '') return
    event.preventDefault()
    void paste(text)
  }
  const dismiss = useCallback(() => setNotice(null), [])
  return { onCopy, onPaste, notice, dismiss, reading }
}
