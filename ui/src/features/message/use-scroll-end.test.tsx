import { cleanup, fireEvent, render } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useScrollEnd } from './use-scroll-end'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  cleanup()
})

/** A list of 1000 pixels in a box of 400, scrolled so that so many of them are below it. */
function scrolled(onEnd: () => void) {
  function List() {
    const box = useRef<HTMLDivElement>(null)
    useScrollEnd(box, onEnd, 'one')
    return <div ref={box} data-testid="box" />
  }
  const box = render(<List />).getByTestId('box')
  Object.defineProperties(box, { scrollHeight: { value: 1000 }, clientHeight: { value: 400 } })
  return (below: number) => {
    box.scrollTop = 600 - below
    fireEvent.scroll(box)
  }
}

it('loads more within 150 px of the end, 100 ms after the last movement', () => {
  const onEnd = vi.fn()
  const scroll = scrolled(onEnd)
  scroll(150)
  vi.advanceTimersByTime(200)
  expect(onEnd).not.toHaveBeenCalled()
  scroll(149)
  vi.advanceTimersByTime(99)
  scroll(120)
  vi.advanceTimersByTime(99)
  expect(onEnd).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onEnd).toHaveBeenCalledTimes(1)
})
