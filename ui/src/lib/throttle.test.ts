import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { throttle } from './throttle'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('works at once, every 150 ms while it is called, and a last time', () => {
  const work = vi.fn()
  const call = throttle(work)
  call()
  expect(work).toHaveBeenCalledTimes(1)
  for (let at = 0; at < 290; at += 10) {
    vi.advanceTimersByTime(10)
    call()
  }
  expect(work).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(150)
  expect(work).toHaveBeenCalledTimes(3)
  vi.advanceTimersByTime(1000)
  expect(work).toHaveBeenCalledTimes(3)
})

it('stops when it is told to', () => {
  const work = vi.fn()
  const call = throttle(work)
  call()
  call()
  call.stop()
  vi.advanceTimersByTime(1000)
  expect(work).toHaveBeenCalledTimes(1)
})
