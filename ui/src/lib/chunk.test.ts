import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChunkLoadError, loadChunk, reloadOnce } from './chunk'

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
    )
    const seen = vi.fn()
    never.catch(seen)
    await vi.advanceTimersByTimeAsync(119_999)
    expect(seen).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(seen.mock.calls[0]?.[0]).toBeInstanceOf(ChunkLoadError)
    expect(seen.mock.calls[0]?.[0].name).toBe('ChunkLoadError')
  })

  it('that come are what was loaded; a first failure reloads and says nothing', async () => {
    await expect(loadChunk(async () => 7)).resolves.toBe(7)
    const retry = vi.fn(() => true)
    const seen = vi.fn()
    void loadChunk(() => Promise.reject(new Error('gone')), retry).then(seen, seen)
    await vi.advanceTimersByTimeAsync(1)
    expect(retry).toHaveBeenCalledOnce()
    expect(seen).not.toHaveBeenCalled()
  })
})
