// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { planPaste } from './paste'
import { parseTsv, writeTsv } from './tsv'

describe('cells as text', () => {
  it.each([
    [
      'a\tb\r\nc\td\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['"two\nlines"\t"say ""hi"""', [['two\nlines', 'say "hi"']]],
    ['5" pipe\t6"', [['5" pipe', '6"']]],
    ['"open\tb', [['"open', 'b']]],
    [
      '\t\n\tx',
      [
        ['', ''],
        ['', 'x'],
      ],
    ],
    ['"tab\there"', [['tab\there']]],
    ['', []],
    ['one', [['one']]],
  ])('%j', (text, cells) => {
    expect(parseTsv(text)).toEqual(cells)
  })
  it('come back as they were', () => {
    const cells = [
      ['a\tb', 'c\nd'],
      ['"q"', ''],
      ['x', 'y'],
    ]
    expect(parseTsv(writeTsv(cells))).toEqual(cells)
  })
})

describe('a block that is pasted', () => {
  const room = { rows: 3, maxRows: 4, columns: 3, writable: (column: number) => column !== 1 }
  const onto = (top: number, left: number, bottom = top, right = left) => ({ top, left, bottom, right })

  it('adds rows up to the most and says what did not fit', () => {
    const plan = planPaste([['1'], ['2'], ['3']], onto(2, 0), room)
    expect(plan).toMatchObject({ added: 1, lostRows: 1, range: onto(2, 0, 3, 0) })
    expect(plan.targets.map(({ row, text }) => [row, text])).toEqual([
      [2, '1'],
      [3, '2'],
    ])
  })
  it('leaves out what cannot be written and what lies beyond the last column', () => {
    const plan = planPaste([['1', '2', '3', '4']], onto(0, 0), room)
    expect(plan).toMatchObject({ readOnly: 1, lostColumns: 1 })
    expect(plan.targets.map(({ column, text }) => [column, text])).toEqual([
      [0, '1'],
      [2, '3'],
    ])
  })
  it('fills a range with one value, and with a pattern that fits', () => {
    expect(planPaste([['x']], onto(0, 0, 2, 0), room).targets).toHaveLength(3)
    expect(planPaste([['x'], ['y']], onto(0, 0, 1, 0), room).targets.map(({ text }) => text)).toEqual(['x', 'y'])
    expect(planPaste([['x'], ['y']], onto(0, 0, 2, 0), room).targets).toHaveLength(2)
  })
  it('keeps rows over the most that were there before', () => {
    expect(planPaste([['x'], ['y']], onto(4, 0), { ...room, rows: 6 })).toMatchObject({ added: 0, lostRows: 0 })
  })
})
