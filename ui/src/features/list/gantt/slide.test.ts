import { afterEach, describe, expect, it, vi } from 'vitest'
import { placesOf, SLIDE, slideFrom, wayFrom } from './slide'

const at = (left: number, top: number, width = 100) => ({ left, top, width })

describe('sliding', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    document.body.replaceChildren()
  })

  it('leads a bar along the axis and to its length, a row up and down; what stands does not move', () => {
    expect(wayFrom(at(40, 10), at(10, 10), true)).toEqual([
      { transform: 'translate(30px, 0px)' },
      { transform: 'none' },
    ])
    expect(wayFrom(at(10, 10, 50), at(10, 10, 80), true)).toEqual([
      { transform: 'translate(0px, 0px)', width: '50px' },
      { transform: 'none', width: '80px' },
    ])
    expect(wayFrom(at(0, 36, 300), at(0, 0, 320), false)).toEqual([
      { transform: 'translate(0px, 36px)' },
      { transform: 'none' },
    ])
    expect(wayFrom(at(10, 10), at(10.4, 90), true)).toBeNull()
  })

  /** A chart of one bar that is drawn again at another place. */
  function redraw(reduced: boolean) {
    vi.stubGlobal('matchMedia', (query: string) => ({ matches: reduced && query.includes('reduced-motion') }))
    const root = document.createElement('section')
    document.body.append(root)
    const draw = (left: number) => {
      const bar = document.createElement('div')
      bar.className = 'gantt_task_line'
      bar.setAttribute('data-task-id', 'a')
      bar.getBoundingClientRect = () => ({ ...at(left, 0) }) as DOMRect
      const animate = vi.fn()
      bar.animate = animate
      root.replaceChildren(bar)
      return animate
    }
    draw(50)
    const before = placesOf(root)
    const animate = draw(10)
    slideFrom(root, before)
    return animate
  }

  it('takes 150 ms, and no time for who wants no motion', () => {
    expect(SLIDE).toBe(150)
    expect(redraw(false)).toHaveBeenCalledWith(expect.anything(), { duration: 150, easing: 'ease-out' })
    expect(redraw(true)).not.toHaveBeenCalled()
  })
})
