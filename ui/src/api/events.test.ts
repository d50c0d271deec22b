import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followEvents } from './events'

class FakeSource {
  static CLOSED = 2
  static made: FakeSource[] = []
  readyState = 0
  onopen: (() => void) | null = null
  onerror: (() => void) | null = null
  addEventListener = vi.fn()
  close = vi.fn(() => {
    this.readyState = FakeSource.CLOSED
  })
  constructor(readonly url: string) {
    FakeSource.made.push(this)
  }
}

beforeEach(() => {
  FakeSource.made = []
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeSource)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('asks for what it missed when the stream ended with its token', async () => {
  const missed = vi.fn()
  const leave = followEvents({}, missed)
  await Promise.resolve()
  const [stream] = FakeSource.made
  stream?.onopen?.()
  expect(missed).not.toHaveBeenCalled()
  stream?.onerror?.() // the browser connects again by itself
  stream?.onopen?.()
  expect(missed).toHaveBeenCalledTimes(1)
  expect(FakeSource.made).toHaveLength(1)
  leave()
  await Promise.resolve()
})

it('asks for what it missed when the stream opened late', async () => {
  const missed = vi.fn()
  const leave = followEvents({}, missed)
  await Promise.resolve()
  const [stream] = FakeSource.made
  stream?.onerror?.() // the server went before it answered
  expect(missed).not.toHaveBeenCalled()
  stream?.onopen?.()
  expect(missed).toHaveBeenCalledTimes(1)
  leave()
  await Promise.resolve()
})

it('asks at once when a stream that was open is refused: the session may be over', async () => {
  const missed = vi.fn()
  const leave = followEvents({}, missed)
  await Promise.resolve()
  const [stream] = FakeSource.made
  stream?.onopen?.()
  if (stream) stream.readyState = FakeSource.CLOSED
  stream?.onerror?.()
  expect(missed).toHaveBeenCalledTimes(1)
  leave()
  await Promise.resolve()
})

it('tries again when it was refused, while somebody follows', async () => {
  const missed = vi.fn()
  const leave = followEvents({}, missed)
  await Promise.resolve()
  const refuse = () => {
    const stream = FakeSource.made.at(-1)
    if (stream) stream.readyState = FakeSource.CLOSED
    stream?.onerror?.()
  }
  refuse()
  expect(FakeSource.made).toHaveLength(1)
  vi.advanceTimersByTime(5000)
  expect(FakeSource.made).toHaveLength(2)
  expect(missed).toHaveBeenCalledTimes(1)
  refuse()
  leave()
  await Promise.resolve()
  vi.advanceTimersByTime(60_000)
  expect(FakeSource.made).toHaveLength(2)
})
