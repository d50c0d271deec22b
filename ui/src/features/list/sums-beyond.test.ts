import { describe, expect, it } from 'vitest'
import { sumsBeyond } from './sums-beyond'

const sum = (code: string, left: number, need = 100) => ({ code, left, width: 150, need })

describe('figures beyond the right edge', () => {
  it('stand at the edge as far as there is room, the first ones first', () => {
    const sums = [sum('a', 500), sum('b', 650), sum('c', 800), sum('d', 950)]
    expect(sumsBeyond(sums, { from: 0, to: 320 })).toEqual({ codes: ['a', 'b', 'c'], width: 300 })
    expect(sumsBeyond(sums, { from: 0, to: 90 })).toBeNull()
  })

  it('leave the figures alone that are seen', () => {
    const sums = [sum('a', 100), sum('b', 600), sum('c', 750)]
    expect(sumsBeyond(sums, { from: 0, to: 400 })).toEqual({ codes: ['b'], width: 100 })
    expect(sumsBeyond(sums, { from: 0, to: 900 })).toBeNull()
    // Its end is seen though its beginning went under the fixed columns.
    expect(sumsBeyond(sums, { from: 200, to: 400 })).toEqual({ codes: ['b'], width: 100 })
  })

  it('cover a column that the edge cuts', () => {
    expect(sumsBeyond([sum('a', 260)], { from: 0, to: 400 })).toEqual({ codes: ['a'], width: 140 })
  })
})
