import { describe, expect, it } from 'vitest'
import { stepOf } from '@/sdk/paper/zoom'
import { currentOf, drawnOf, placesOf } from './geometry'

const sheets = (count: number) => Array.from({ length: count }, () => ({ width: 210, height: 297, marks: [] }))
const room = { edge: 24, gap: 16 }

describe('sheets below each other', () => {
  it('lie at their size', () => {
    expect(placesOf(sheets(2), 2, room)).toEqual([
      { top: 24, width: 420, height: 594 },
      { top: 634, width: 420, height: 594 },
    ])
  })

  it('tell which is looked at', () => {
    const places = placesOf(sheets(3), 2, room)
    expect([0, 433, 435, 9999].map((scrolled) => currentOf(places, scrolled, 600))).toEqual([0, 0, 1, 2])
    expect(currentOf([], 0, 600)).toBe(0)
  })

  it('tell the first of several small ones, and each that is gone to', () => {
    const labels = placesOf(
      Array.from({ length: 8 }, () => ({ width: 60, height: 60, marks: [] })),
      4,
      room,
    )
    expect(currentOf(labels, 0, 860)).toBe(0)
    for (const [i, { top }] of labels.entries()) expect(currentOf(labels, top - room.gap / 2, 860)).toBe(i)
  })

  it('are all drawn up to 20; of more those near to what is seen', () => {
    expect(drawnOf(placesOf(sheets(20), 2, room), 0, 600)).toEqual([0, 20])
    const many = placesOf(sheets(100), 2, room)
    expect(drawnOf(many, 0, 600)).toEqual([0, 2])
    expect(drawnOf(many, 30_500, 600)).toEqual([49, 52])
  })

  it('grow and shrink by steps', () => {
    expect([100, 63, 200].map((percent) => stepOf(percent, 1))).toEqual([125, 75, 200])
    expect([100, 63, 50].map((percent) => stepOf(percent, -1))).toEqual([75, 50, 50])
  })
})
