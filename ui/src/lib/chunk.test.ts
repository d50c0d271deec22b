import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChunkLoadError, loadChunk, reloadOnce } from './chunk'

const there = async () => false

describe('parts of the application', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    sessionStorage.clear()
  })
  afterEach(() => vi.useRealTimers())

  it('reload the page once, and not again within five minutes', () => {
    const reload = vi.fn()
    expect([1_000_000, 1_000_001, 1_299_999, 1_300_000].map((now) => reloadOnce(now, reload))).toEqual([
      true,
      false,
      false,
      true,
    ])
    expect(reload).toHaveBeenCalledTimes(2)
  })

  it('fail with ChunkLoadError after 120000 ms, when the page was reloaded before', async () => {
    const never = loadChunk(
      () => new Promise<number>(() => {}),
      () => false,
      there,
    )
    const seen = vi.fn()
    never.catch(seen)
    await vi.advanceTimersByTimeAsync(119_999)
    expect(seen).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(seen.mock.calls[0]?.[0]).toBeInstanceOf(ChunkLoadError)
    expect(seen.mock.calls[0]?.[0].name).toBe('ChunkLoadError')
  })

  it('that come are what was loaded', async () => {
    await expect(loadChunk(async () => 7)).resolves.toBe(7)
  })

  it('that a server in good health does not have are asked for twice; then the page is loaded again and nothing is said', async () => {
    const load = vi.fn(() => Promise.reject(new Error('gone')))
    const retry = vi.fn(() => true)
    const seen = vi.fn()
    void loadChunk(load, retry, there).then(seen, seen)
    await vi.advanceTimersByTimeAsync(1)
    expect(load).toHaveBeenCalledTimes(2)
    expect(retry).toHaveBeenCalledOnce()
    expect(seen).not.toHaveBeenCalled()
  })

  it('are waited for while the server is away, as often as it goes', async () => {
    const answers = [new Error('refused'), new Error('refused'), new Error('refused'), 7]
    const load = vi.fn(async () => {
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return answer
    })
    const retry = vi.fn(() => true)
    await expect(loadChunk(load, retry, async () => true)).resolves.toBe(7)
    expect(retry).not.toHaveBeenCalled()
  })
})
