import { expect, it } from 'vitest'
import { layoutOf, type Placed, readingOrder, tabletLayout } from './grid-layout'

const short = (items: Placed[]) => layoutOf(items).map(({ x, y, width, height }) => `${x},${y} ${width}x${height}`)

it.each([
  ['flows two by two', [{}, {}, {}], ['0,0 6x6', '6,0 6x6', '0,6 6x6']],
  ['keeps its place', [{ x: 3, y: 2, width: 4, height: 3 }], ['3,2 4x3']],
  ['never reaches beyond the grid', [{ x: 11, y: 0, width: 6 }], ['6,0 6x6']],
  [
    'moves on where another one is',
    [
      { x: 0, y: 0 },
      { x: 0, y: 0 },
    ],
    ['0,0 6x6', '6,0 6x6'],
  ],
  [
    'flows around what has a place',
    [
      { width: 12, height: 2 },
      { x: 0, y: 0, width: 6, height: 6 },
    ],
    ['0,6 12x2', '0,0 6x6'],
  ],
] as const)('what %s', (_, items, boxes) => expect(short([...items])).toEqual(boxes))

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
