import { describe, expect, test } from 'vitest'
import { sideOf, sizeFor, sizesFor } from './sizes'

describe('labels', () => {
  test('a usual label has letters of 12 points, and room for no more than its share', () => {
    expect(sizeFor(60, 1)).toBe(12)
    expect(sizesFor(60, 1)[0]?.[1]).toBe(42)
    expect(sizesFor(60, 5).at(0)?.[1]).toBeLessThanOrEqual(9)
    expect(sizeFor(15, 5)).toBe(5)
    expect(sizeFor(300, 1)).toBe(42)
  })

  test('a side that is negative or missing is the usual one', () => {
    expect([sideOf(null), sideOf(-5), sideOf(0), sideOf(5), sideOf(40), sideOf(1000)]).toEqual([
      60, 60, 60, 15, 40, 300,
    ])
  })
})
