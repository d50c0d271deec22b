import { act, renderHook } from '@testing-library/react'
import type { PointerEvent } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DRAG_DELAY, landing, reordered, useDragOrder } from './use-drag-order'

const target = { setPointerCapture: () => {} }
const at = (clientY: number) =>
  ({ button: 0, pointerId: 1, clientY, currentTarget: target }) as unknown as PointerEvent<HTMLElement>

describe('dragging columns', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('lands on the row whose middle is nearest, never outside', () => {
    expect([-99, -20, 0, 17, 19, 400].map((moved) => landing(1, moved, 36, 4))).toEqual([0, 0, 1, 1, 2, 3])
    expect(reordered(['a', 'b', 'c'], 'a', 2)).toEqual(['b', 'c', 'a'])
  })

  it('needs the press to be held for 100 ms', () => {
    const done = vi.fn()
    const { result } = renderHook(() => useDragOrder(['a', 'b', 'c'], 36, done))
    const list = document.createElement('ul')
    list.getBoundingClientRect = () => ({ top: 0, bottom: 1000 }) as DOMRect
    result.current.list.current = list
    const press = (held: number) => {
      act(() => result.current.handle('a').onPointerDown(at(10)))
      act(() => void vi.advanceTimersByTime(held))
      act(() => result.current.handle('a').onPointerMove(at(85)))
    }
    expect(DRAG_DELAY).toBe(100)
    press(DRAG_DELAY - 1)
    expect(result.current.dragged).toBeNull()
    act(() => result.current.handle('a').onPointerUp())
    expect(done).not.toHaveBeenCalled()

    press(DRAG_DELAY)
    expect(result.current.dragged).toBe('a')
    expect(['a', 'b', 'c'].map(result.current.offset)).toEqual([75, 0, 36])
    act(() => result.current.handle('a').onPointerUp())
    expect(done).toHaveBeenCalledExactlyOnceWith('a', 2)
    expect(result.current.dragged).toBeNull()
  })
})
