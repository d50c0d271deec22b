import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Box, layoutOf, type Placed, readingOrder, tabletLayout } from './grid-layout'

/** The cases that the server lays out too (runtime/pagegrid). */
const cases: { name: string; items: Placed[]; boxes: Box[] }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../runtime/pagegrid/testdata/layouts.json'), 'utf8'),
)

it.each(cases.map(({ name, items, boxes }) => [name, items, boxes] as const))('what %s', (_, items, boxes) =>
  expect(layoutOf(items)).toEqual(boxes),
)

it('is read from top to bottom, and takes half a tablet at least', () => {
  expect(
    readingOrder(
      layoutOf([
        { x: 6, y: 0 },
        { x: 0, y: 6 },
        { x: 0, y: 0 },
      ]),
    ),
  ).toEqual([2, 0, 1])
  expect(tabletLayout([{ width: 3 }, { width: 9 }, { width: 2 }])).toMatchObject([
    { x: 0, width: 6 },
    { x: 0, width: 12 },
    { x: 0, width: 6 },
  ])
})
