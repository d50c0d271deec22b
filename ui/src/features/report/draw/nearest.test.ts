import { expect, test } from 'vitest'
import { nearestPoint } from './nearest'

const plane = { groupAt: () => 1, valueAt: (_: number, value: number) => 200 - value * 10 }

test('a press beside the marks is meant for the nearest of its group', () => {
  const lines = [{ data: [1, 2, 3] }, { data: [1, 8, 3] }]
  expect(nearestPoint(lines, plane, 175)).toEqual({ series: 0, index: 1 })
  expect(nearestPoint(lines, plane, 125)).toEqual({ series: 1, index: 1 })
  expect(nearestPoint(lines, plane, 20)).toEqual({ series: 1, index: 1 }) // far above them all
})

test('parts of a stack are where they are drawn', () => {
  const parts = [
    { data: [1, 2], stack: 'bar' },
    { data: [1, 8], stack: 'bar' },
  ]
  expect(nearestPoint(parts, plane, 102)).toEqual({ series: 1, index: 1 })
  expect(nearestPoint(parts, plane, 178)).toEqual({ series: 0, index: 1 })
})

test('groups without a value have no point', () => {
  expect(nearestPoint([{ data: [1, null] }, {}], plane, 190)).toBeNull()
})
