import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { moved, useSorting } from './use-sorting'

/** Entries of 20 pixels, one below the other. */
function List({ onMove }: { onMove: (from: number, to: number) => void }) {
  const { hold, styleOf } = useSorting(onMove)
  return (
    <ol>
      {['a', 'b', 'c'].map((name, i) => (
        <li
          key={name}
          style={styleOf(i)}
          ref={(one) => {
            if (one) one.getBoundingClientRect = () => ({ top: i * 20, height: 20 }) as DOMRect
          }}
        >
          <button type="button" onPointerDown={(event) => hold(event, i)}>
            {name}
          </button>
        </li>
      ))}
    </ol>
  )
}

const down = (name: string, pointerType: string) =>
  act(() => {
    const event = new MouseEvent('pointerdown', { bubbles: true, cancelable: true, clientY: 10 })
    fireEvent(screen.getByText(name), Object.assign(event, { pointerType }))
  })
const to = (clientY: number) => act(() => void fireEvent(window, new MouseEvent('pointermove', { clientY })))
const up = () => act(() => void fireEvent(window, new MouseEvent('pointerup')))
const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
const styleOf = (name: string) => (screen.getByText(name).parentElement as HTMLElement).style

describe('sorting of entries', () => {
  const onMove = vi.fn()
  beforeEach(() => {
    vi.useFakeTimers()
    onMove.mockReset()
    render(<List onMove={onMove} />)
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
  })

  it.each([
    ['mouse', 50],
    ['touch', 100],
  ])('begins when the handle was held by %s for %d ms, and the others make way in 150 ms', (pointer, delay) => {
    down('a', pointer)
    wait(delay - 1)
    to(35)
    expect(styleOf('b').transition).toBe('')
    wait(1)
    expect(styleOf('a').transform).toBe('translateY(25px)')
    expect(styleOf('b').transform).toBe('translateY(-20px)')
    expect(styleOf('b').transition).toBe('transform 150ms')
    expect(styleOf('c').transform).toBe('translateY(0px)')
    up()
    expect(onMove.mock.calls).toEqual([[0, 1]])
  })

  it('moves nothing by a short press, nor after Escape', () => {
    down('a', 'mouse')
    to(60)
    up()
    down('a', 'mouse')
    wait(50)
    to(60)
    act(() => void fireEvent.keyDown(window, { key: 'Escape' }))
    up()
    expect(onMove).not.toHaveBeenCalled()
  })

  it('keeps the others in their order', () => expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']))
})
