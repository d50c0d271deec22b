// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { drop, type Place } from './order'

const place = (id: string, depth: number, order: string | null, level: string | null = String(depth)): Place => ({
  id,
  depth,
  level,
  order,
})
// a (a1 a2 a3) b (b1) c
const rows = [
  place('a', 0, '10'),
  place('a1', 1, '10'),
  place('a2', 1, '20'),
  place('a3', 1, '30'),
  place('b', 0, '20'),
  place('b1', 1, '10'),
  place('c', 0, '30'),
]
const without = (id: string) => rows.filter((row) => row.id !== id)
const before = (id: string, target: string) => without(id).findIndex((row) => row.id === target)

describe('a dropped row', () => {
  it('takes the number between its new neighbours', () => {
    expect(drop(rows, 'a3', before('a3', 'a2'), 8)).toEqual({ kind: 'move', writes: [{ id: 'a3', order: '15' }] })
  })
  it('goes first below what was first, and last behind what was last', () => {
    expect(drop(rows, 'a3', before('a3', 'a1'), 8)).toEqual({ kind: 'move', writes: [{ id: 'a3', order: '5' }] })
    expect(drop(rows, 'a1', before('a1', 'b'), 8)).toEqual({ kind: 'move', writes: [{ id: 'a1', order: '40' }] })
    expect(drop(rows, 'a', 6 - 0, 8)).toEqual({ kind: 'move', writes: [{ id: 'a', order: '40' }] })
  })
  it('stays where it was put back, also among its own rows', () => {
    expect(drop(rows, 'a2', before('a2', 'a3'), 8)).toEqual({ kind: 'stay' })
    expect(drop(rows, 'a', 1, 8)).toEqual({ kind: 'stay' })
  })
  it('is refused inside of another row and below another parent', () => {
    expect(drop(rows, 'c', before('c', 'a2'), 8)).toEqual({ kind: 'refused' })
    expect(drop(rows, 'a1', before('a1', 'c'), 8)).toEqual({ kind: 'refused' })
    expect(drop(rows, 'b1', before('b1', 'a2'), 8)).toEqual({ kind: 'refused' })
    expect(drop(rows, 'a1', 6, 8)).toEqual({ kind: 'refused' })
  })
  it('is refused beside rows of another level only', () => {
    const flat = [place('g', 0, '1', '0'), place('p', 0, '2', '2'), place('q', 0, '3', '2')]
    expect(drop(flat, 'q', 0, 8)).toEqual({ kind: 'refused' })
    expect(drop(flat, 'q', 1, 8)).toEqual({ kind: 'move', writes: [{ id: 'q', order: '1.5' }] })
  })
  it('renumbers its siblings when no number is left between two, or some have none', () => {
    const tight = [place('x', 0, '1'), place('y', 0, '2'), place('z', 0, '30')]
    expect(drop(tight, 'z', 1, 0)).toEqual({
      kind: 'move',
      writes: [
        { id: 'x', order: '10' },
        { id: 'z', order: '20' },
        { id: 'y', order: '30' },
      ],
    })
    expect(drop([place('x', 0, null), place('y', 0, null)], 'y', 0, 8)).toMatchObject({
      writes: [
        { id: 'y', order: '10' },
        { id: 'x', order: '20' },
      ],
    })
  })
})
