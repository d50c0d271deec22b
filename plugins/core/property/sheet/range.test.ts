// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { advance, at, rangeOf, step, within } from './range'

const size = { rows: 4, columns: 3 }
/** Filled: the first two rows of column 0, and its last. */
const filled = ({ row, column }: { row: number; column: number }) => column === 0 && row !== 2

describe('keys', () => {
  it.each([
    ['ArrowDown', false, { row: 1, column: 0 }],
    ['ArrowUp', false, { row: 0, column: 0 }],
    ['ArrowDown', true, { row: 1, column: 0 }],
    ['ArrowRight', true, { row: 0, column: 2 }],
    ['End', false, { row: 0, column: 2 }],
    ['End', true, { row: 3, column: 2 }],
    ['PageDown', false, { row: 2, column: 0 }],
  ])('%s with Ctrl %s', (key, ctrl, to) => {
    expect(step({ row: 0, column: 0 }, { key, ctrl }, size, 2, filled)).toEqual(to)
  })
  it('Ctrl and an arrow jump over what is empty', () => {
    expect(step({ row: 1, column: 0 }, { key: 'ArrowDown', ctrl: true }, size, 2, filled)).toEqual({
      row: 3,
      column: 0,
    })
  })
  it('others lead nowhere', () => {
    expect(step({ row: 0, column: 0 }, { key: 'a', ctrl: false }, size, 2, filled)).toBeNull()
  })
})

describe('Tab and Enter', () => {
  it('go through the grid and out at its end', () => {
    expect(advance(at(0, 2), 1, 'row', size)).toEqual(at(1, 0))
    expect(advance(at(3, 2), 1, 'row', size)).toBeNull()
    expect(advance(at(3, 1), 1, 'column', size)).toBeNull()
    expect(advance(at(0, 0), -1, 'row', size)).toBeNull()
  })
  it('go around in what is selected', () => {
    let selection = { active: { row: 1, column: 1 }, head: { row: 2, column: 2 } }
    const way = [0, 1, 2, 3].map(() => {
      const next = advance(selection, 1, 'column', size)
      if (!next) throw new Error('left the range')
      selection = next
      return [next.active.row, next.active.column]
    })
    expect(way).toEqual([
      [2, 1],
      [1, 2],
      [2, 2],
      [1, 1],
    ])
    expect(rangeOf(selection)).toEqual({ top: 1, bottom: 2, left: 1, right: 2 })
  })
})

it('a selection stays within the rows that are left', () => {
  expect(within(at(9, 9), size)).toEqual(at(3, 2))
})
