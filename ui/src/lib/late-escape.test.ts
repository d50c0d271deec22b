import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepEscapes } from './late-escape'

describe('an Escape while something closes', () => {
  const heard = vi.fn()
  let stop: () => void
  const pressed = () =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
  const popup = (className: string) => {
    const box = document.createElement('div')
    box.className = className
    document.body.append(box)
    return box
  }
  beforeEach(() => {
    vi.useFakeTimers()
    heard.mockClear()
    stop = keepEscapes(window)
    window.addEventListener('keydown', heard)
  })
  afterEach(() => {
    stop()
    window.removeEventListener('keydown', heard)
    document.body.replaceChildren()
    vi.useRealTimers()
  })

  it('goes through at once where nothing does', () => {
    popup('ant-select-dropdown')
    pressed()
    expect(heard).toHaveBeenCalledTimes(1)
  })

  it('is pressed when it is gone, each of them', () => {
    const box = popup('ant-select-dropdown ant-slide-up-leave')
    pressed()
    pressed()
    vi.advanceTimersByTime(100)
    expect(heard).not.toHaveBeenCalled()
    box.remove()
    vi.advanceTimersByTime(300)
    expect(heard.mock.calls.map(([event]) => [event.key, event.keyCode])).toEqual([
      ['Escape', 27],
      ['Escape', 27],
    ])
    pressed()
    expect(heard).toHaveBeenCalledTimes(3)
  })

  it('does not wait for ever', () => {
    popup('ant-modal ant-zoom-leave')
    pressed()
    vi.advanceTimersByTime(700)
    expect(heard).toHaveBeenCalledTimes(1)
  })
})
