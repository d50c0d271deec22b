import { describe, expect, it } from 'vitest'
import { sumsBeyond } from './sums-beyond'

const sum = (code: string, left: number, need = 100) => ({ code, left, width: 150, need, figure: 60 })
const none = { left: null, right: null }

describe('figures beyond the right edge', () => {
  it('stand at the edge as far as there is room, the first ones first', () => {
    const sums = [sum('a', 500), sum('b', 650), sum('c', 800), sum('d', 950)]
    expect(sumsBeyond(sums, { from: 0, to: 320 })).toEqual({
      left: null,
      right: { codes: ['a', 'b', 'c'], width: 300 },
    })
    expect(sumsBeyond(sums, { from: 0, to: 90 })).toEqual(none)
  })

  it('leave the figures alone that are seen', () => {
    const sums = [sum('a', 100), sum('b', 600), sum('c', 750)]
    expect(sumsBeyond(sums, { from: 0, to: 400 }).right).toEqual({ codes: ['b'], width: 100 })
    expect(sumsBeyond(sums, { from: 0, to: 900 })).toEqual(none)
    // Its figure is seen though its beginning went under the fixed columns.
    expect(sumsBeyond(sums, { from: 190, to: 400 })).toEqual({ left: null, right: { codes: ['b'], width: 100 } })
  })

  it('cover a column that the edge cuts', () => {
    expect(sumsBeyond([sum('a', 260)], { from: 0, to: 400 }).right).toEqual({ codes: ['a'], width: 140 })
  })
})

describe('figures beyond the left edge', () => {
  it('stand at that edge, in the order of their columns, the nearest ones first', () => {
    const sums = [sum('a', 0), sum('b', 150), sum('c', 300)]
    expect(sumsBeyond(sums, { from: 500, to: 900 })).toEqual({
      left: { codes: ['a', 'b', 'c'], width: 300 },
      right: null,
    })
    expect(sumsBeyond(sums, { from: 500, to: 750 }).left).toEqual({ codes: ['b', 'c'], width: 200 })
  })

  it('leave room for what is seen and for what the right edge tells', () => {
    const sums = [sum('a', 0), sum('b', 400), sum('c', 900)]
    expect(sumsBeyond(sums, { from: 200, to: 700 })).toEqual({
      left: { codes: ['a'], width: 100 },
      right: { codes: ['c'], width: 100 },
    })
    expect(sumsBeyond([sum('a', 0), sum('b', 150), sum('c', 900)], { from: 200, to: 310 }).left).toBeNull()
  })

  it('cover a figure of which only a part is seen', () => {
    expect(sumsBeyond([sum('a', 0)], { from: 100, to: 500 }).left).toEqual({ codes: ['a'], width: 100 })
    expect(sumsBeyond([sum('a', 0, 30)], { from: 100, to: 500 }).left).toEqual({ codes: ['a'], width: 50 })
  })
})
