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

describe('a page that fills', () => {
  const full = (widgets: PortalWidget[]) =>
    placesOf(widgets, 12, true).map(({ widget: { id }, box }) => `${id} ${box.x},${box.y} ${box.width}x${box.height}`)

  it('gives what is left of a row all of it, in the proportions of the widths', () => {
    const figures = [widget('a', 0, 0, 3, 8), widget('b', 3, 0, 3, 8), widget('d', 9, 0, 3, 8)]
    expect(full(figures)).toEqual(['a 0,0 4x8', 'b 4,0 4x8', 'd 8,0 4x8'])
    expect(full([...figures.slice(1), widget('chart', 5, 8, 7, 20)])).toEqual([
      'b 0,0 6x8',
      'd 6,0 6x8',
      'chart 0,8 12x20',
    ])
    expect(full([widget('a', 0, 0, 5, 8), widget('b', 5, 0, 4, 8)])).toEqual(['a 0,0 7x8', 'b 7,0 5x8'])
  })

  it('does the same beside something higher', () => {
    expect(full([widget('high', 0, 0, 4, 20), widget('top', 4, 0, 4, 10), widget('low', 8, 10, 4, 10)])).toEqual([
      'high 0,0 4x20',
      'top 4,0 8x10',
      'low 4,10 8x10',
    ])
  })

  it('changes nothing of a page without gaps, and never lets widgets cover each other', () => {
    const whole = [widget('a', 0, 0, 8, 9), widget('b', 8, 0, 4, 9), widget('c', 0, 9, 12, 4), widget('d', 0, 13, 7, 6)]
    const last = widget('e', 7, 13, 5, 6)
    expect(full([...whole, last])).toEqual(short([...whole, last], 12))
    let seed = 7
    const next = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed % below
    }
    for (let round = 0; round < 200; round++) {
      const some = Array.from({ length: 1 + next(9) }, (_, i) =>
        widget(`${i}`, next(12), next(20), 1 + next(12), 1 + next(9)),
      )
      const places = placesOf(some, 12, true)
      expect(places).toHaveLength(some.length)
      for (const [i, { box }] of places.entries()) {
        expect(box.width).toBeGreaterThan(0)
        expect(box.x >= 0 && box.x + box.width <= 12).toBe(true)
        for (const { box: other } of places.slice(i + 1)) {
          const apart =
            box.x + box.width <= other.x ||
            other.x + other.width <= box.x ||
            box.y + box.height <= other.y ||
            other.y + other.height <= box.y
          expect(apart, JSON.stringify([box, other])).toBe(true)
        }
      }
    }
  })

  it('keeps what it has on a tablet and on a phone', () => {
    const page = [widget('a', 0, 0, 3, 8), widget('d', 9, 0, 3, 8)]
    for (const columns of [1, 2] as const)
      expect(placesOf(page, columns, true).map(({ widget: { id } }) => id)).toEqual(['a', 'd'])
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
