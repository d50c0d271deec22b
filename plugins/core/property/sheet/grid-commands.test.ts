// @vitest-environment node
import type { FormField } from '@sluice/sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { ALL_RIGHTS, type Grid, type GridNow, makeGrid, type RowRights } from './grid-commands'
import { at, wholeRows } from './range'
import { keyOf, type SheetRow } from './rows'
import { makeUndo } from './undo'

const columns = ['a', 'b', 'sum'].map(
  (propertyCode) => ({ propertyCode, readOnly: propertyCode === 'sum' }) as FormField,
)

describe('what is done to rows', () => {
  let now: GridNow
  let grid: Grid
  let begun: Record<string, unknown> = {}
  let rights: RowRights = ALL_RIGHTS
  const set = (rows: SheetRow[]) => {
    now = { rows, columns, selection: at(0, 0), open: [], minRows: 1, maxRows: 5, rights }
    const undo = makeUndo()
    grid = makeGrid({
      now: () => now,
      begin: () => begun,
      undo,
      put: (next) => {
        now = { ...now, rows: next }
      },
      select: (selection) => {
        now = { ...now, selection }
      },
      setOpen: (open) => {
        now = { ...now, open }
      },
      focus: () => {},
    })
  }
  const said = () => now.rows.map((row) => row.a ?? '-').join('')
  beforeEach(() => {
    begun = {}
    rights = ALL_RIGHTS
    set(['x', 'y', 'z'].map((a, i) => ({ id: String(i), a, sum: '1' })))
  })

  it('rows that are stored stay where only new ones may be added', () => {
    rights = { add: true, edit: false, delete: false }
    set([{ id: '0', a: 'x' }])
    grid.edit({ row: 0, column: 0 })
    expect(now.open).toEqual([])
    grid.clear()
    grid.move(1)
    expect(grid.canRemove()).toBe(false)
    grid.add()
    grid.edit({ row: 1, column: 0 })
    expect(now.open).toHaveLength(1)
    grid.writeAll(
      now.rows.map((row, index) => ({ key: keyOf(row, index), values: { a: 'n' } })),
      [],
    )
    expect(said()).toBe('xn')
    grid.select(at(1, 0))
    expect(grid.canRemove()).toBe(true)
  })
  it('rows are not added, and not taken away, without the right', () => {
    rights = { add: false, edit: true, delete: false }
    set([
      { id: '0', a: 'x' },
      { id: '1', a: 'y' },
    ])
    grid.add()
    grid.insert('above')
    grid.copyRows()
    grid.remove()
    expect(said()).toBe('xy')
    grid.move(1)
    expect(said()).toBe('yx')
    rights = { add: false, edit: false, delete: true }
    set([
      { id: '0', a: 'x' },
      { id: '1', a: 'y' },
    ])
    grid.remove()
    expect(said()).toBe('y')
  })
  it('rows go up and down, together, and back', () => {
    grid.select(wholeRows(1, 2, 3))
    grid.move(-1)
    expect(said()).toBe('yzx')
    expect(now.selection).toEqual(wholeRows(0, 1, 3))
    grid.move(-1)
    expect(said()).toBe('yzx')
    grid.undo()
    expect(said()).toBe('xyz')
    grid.redo()
    expect(said()).toBe('yzx')
  })
  it('one empty row stands at the end at most, whichever way rows are added', () => {
    grid.select(at(2, 1))
    grid.go(1, 'column')
    expect(said()).toBe('xyz-')
    grid.add()
    grid.add()
    expect(said()).toBe('xyz-')
    expect(now.selection).toEqual(at(3, 0))
    grid.write({ key: keyOf(now.rows[3] as SheetRow, 3), column: 0 }, { a: 'w' })
    grid.add()
    expect(said()).toBe('xyzw-')
  })
  it('keys that are faster than a widget are kept for it', () => {
    grid.edit({ row: 0, column: 0 }, 'y')
    grid.edit({ row: 0, column: 0 }, 'i')
    expect(now.open).toEqual([{ key: '0', column: 0, text: 'yi' }])
    grid.edit({ row: 0, column: 1 }, 'j')
    expect(now.open).toEqual([{ key: '0', column: 1, text: 'j' }])
  })
  it('what was typed and is no value yet is taken when its cell is left, and not when it is given up', () => {
    let left = 0
    grid.edit({ row: 0, column: 0 })
    grid.onLeave(() => left++)
    grid.stop(false)
    expect(left).toBe(0)
    grid.stop(true)
    grid.edit({ row: 1, column: 0 })
    expect(left).toBe(2)
  })
  it('a new row begins with its defaults however it is added, and is as good as empty until somebody writes in it', () => {
    begun = { b: '1' }
    grid.add()
    expect(now.rows[3]).toMatchObject({ b: '1' })
    grid.select(at(3, 1))
    grid.go(1, 'column')
    expect(now.rows).toHaveLength(4)
    grid.writeAll([{ key: keyOf(now.rows[3] as SheetRow, 3), values: { b: '2' } }], [])
    grid.select(at(3, 1))
    grid.go(1, 'column')
    expect(now.rows[4]).toMatchObject({ b: '1' })
    set([])
    grid.insert('below')
    expect(now.rows).toMatchObject([{ b: '1' }])
    expect(grid.newRows(1)).toMatchObject([{ b: '1' }])
  })
  it('rows are added, inserted and copied up to the most; copies are rows of their own', () => {
    grid.select(wholeRows(0, 1, 3))
    grid.insert('below')
    expect(said()).toBe('xy--z')
    grid.copyRows()
    grid.add()
    expect(now.rows).toHaveLength(5)
    grid.undo()
    grid.select(at(2, 0))
    grid.copyRows()
    expect(said()).toBe('xyzz')
    expect(now.rows[3]?.id).toBeUndefined()
  })
  it('rows are removed down to the least', () => {
    grid.selectAll()
    grid.remove()
    expect(now.rows).toHaveLength(3)
    grid.select(wholeRows(0, 1, 3))
    grid.remove()
    expect(said()).toBe('z')
    expect(grid.canRemove()).toBe(false)
  })
  it('Delete clears and Ctrl+D fills what may be written', () => {
    grid.select({ active: { row: 0, column: 0 }, head: { row: 2, column: 2 } })
    grid.fillDown()
    expect(said()).toBe('xxx')
    grid.clear()
    expect(now.rows.map((row) => [row.a, row.sum])).toEqual([
      [null, '1'],
      [null, '1'],
      [null, '1'],
    ])
    grid.undo()
    grid.undo()
    expect(said()).toBe('xyz')
  })
  it('one edit is one step, and Esc takes all of it back', () => {
    grid.edit({ row: 1, column: 0 }, '1')
    const editing = now.open[0]
    if (!editing) throw new Error('nothing is open')
    grid.write(editing, { a: '1' })
    grid.write(editing, { a: '12', sum: 'never' })
    expect(now.rows[1]).toEqual({ id: '1', a: '12', sum: '1' })
    grid.stop(false)
    expect(said()).toBe('xyz')
    expect(grid.canUndo()).toBe(false)
    grid.edit({ row: 1, column: 0 })
    grid.write({ key: keyOf(now.rows[1] as SheetRow, 1), column: 0 }, { a: 'q' })
    grid.stop(true)
    grid.undo()
    expect(said()).toBe('xyz')
  })
  it('what cannot be written does not open', () => {
    grid.edit({ row: 0, column: 2 })
    expect(now.open).toEqual([])
  })
  it('Enter at the end adds a row, but none after an empty one; Tab leaves', () => {
    grid.select(at(2, 1))
    expect(grid.go(1, 'column')).toBe(true)
    expect(now.rows).toHaveLength(4)
    grid.go(1, 'column')
    expect(now.rows).toHaveLength(4)
    grid.select(at(3, 2))
    expect(grid.go(1, 'row')).toBe(false)
  })
  it('after Tab, Enter returns to the column where the row began', () => {
    grid.select(at(0, 0))
    grid.go(1, 'row')
    grid.go(1, 'row')
    grid.go(1, 'column')
    expect(now.selection).toEqual(at(1, 0))
  })
})
