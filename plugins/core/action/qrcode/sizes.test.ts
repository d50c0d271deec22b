import { describe, expect, test } from 'vitest'
import { SIZES, sideOf, sizeFor, sizesFor } from './sizes'

describe('labels', () => {
  test('a usual label has letters of 12 points, and room for no more than its share', () => {
    expect(SIZES.map(([, points]) => points)).toEqual([
      42, 36, 26, 24, 22, 18, 16, 15, 14, 12, 10.5, 9, 7.5, 6.5, 5.5, 5,
    ])
    expect(sizeFor(60, 1)).toBe(12)
    expect(sizesFor(60, 1)[0]?.[1]).toBe(42)
    expect(sizesFor(60, 5).at(0)?.[1]).toBeLessThanOrEqual(9)
    expect(sizeFor(15, 5)).toBe(5)
    expect(sizeFor(300, 1)).toBe(42)
  })

  test('letters on sheets have at least 12 points', () => {
    expect(sizesFor(60, 5, true).map(([, points]) => points)).toEqual([12])
    expect(sizesFor(60, 2, true).map(([, points]) => points)).toEqual([22, 18, 16, 15, 14, 12])
    expect(sizeFor(20, 1, true)).toBe(12)
    expect(sizeFor(0, 3, true)).toBe(12)
  })

  test('a side that is missing is the usual one, and one that is negative is 0', () => {
    expect([sideOf(null), sideOf(-5), sideOf(0), sideOf(5), sideOf(40), sideOf(1000)]).toEqual([60, 0, 0, 5, 40, 300])
  })
})
