import { describe, expect, it } from 'vitest'
import type { Box } from '@/lib/grid-layout'
import type { PortalWidget } from '@/sdk/portal'
import { placed, resized, stepped } from './arrange/moves'
import { placesOf } from './places'

const widget = (id: string, x: number, y: number, width: number, height: number) =>
  ({ id, x, y, width, height, widgets: null }) as unknown as PortalWidget
const short = (widgets: PortalWidget[], columns: 1 | 2 | 12) =>
  placesOf(widgets, columns).map(({ widget: { id }, box }) => `${id} ${box.x},${box.y} ${box.width}x${box.height}`)

describe('places', () => {
  it('leave no hole where a widget is missing', () => {
    expect(short([widget('b', 0, 20, 6, 10), widget('c', 6, 0, 6, 10), widget('d', 0, 30, 12, 5)], 12)).toEqual([
      'b 0,0 6x10',
      'c 6,0 6x10',
      'd 0,10 12x5',
    ])
  })

  it('on a tablet pair the narrow ones, and give a single one the line', () => {
    const page = [widget('a', 0, 0, 3, 8), widget('b', 3, 0, 3, 8), widget('c', 6, 0, 4, 8), widget('d', 0, 8, 8, 8)]
    expect(short(page, 2)).toEqual(['a 0,0 6x8', 'b 6,0 6x8', 'c 0,8 12x8', 'd 0,16 12x8'])
  })
})

describe('moves', () => {
  const boxes = new Map<string, Box>([
    ['a', { x: 0, y: 0, width: 6, height: 4 }],
    ['b', { x: 0, y: 4, width: 6, height: 2 }],
    ['c', { x: 6, y: 0, width: 6, height: 4 }],
  ])
  const at = (of: ReadonlyMap<string, Box>, id: string) => {
    const { x, y, width, height } = of.get(id) ?? { x: -1, y: -1, width: -1, height: -1 }
    return `${x},${y} ${width}x${height}`
  }

  it('go past what is below, which moves up', () => {
    const next = stepped(boxes, 'a', 0, 1)
    expect([at(next, 'a'), at(next, 'b')]).toEqual(['0,2 6x4', '0,0 6x2'])
  })

  it('push others down and stay on the grid', () => {
    const next = placed(boxes, 'c', { x: 20, y: -3, width: 6, height: 4 })
    expect(at(next, 'c')).toBe('6,0 6x4')
    expect(at(placed(boxes, 'c', { x: 3, y: 0, width: 6, height: 4 }), 'a')).toBe('0,4 6x4')
  })

  it('keep a width between one column and the edge', () => {
    expect(at(resized(boxes, 'c', 3, 1), 'c')).toBe('6,0 6x5')
    expect(at(resized(boxes, 'a', -20, -20), 'a')).toBe('0,0 1x1')
  })
})
