import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { limitWidth, useMenuStore } from './menu-store'

describe('the width of the menu', () => {
  it('is at least 250 in an application, 200 for workflows, and at most a third of the window', () => {
    expect(limitWidth(10, 1440)).toBe(250)
    expect(limitWidth(10, 1440, 'workflow')).toBe(200)
    expect(limitWidth(9999, 1440)).toBe(480)
    expect(limitWidth(300, 1440)).toBe(300)
  })
})

describe('collapsing', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => vi.useRealTimers())

  it('is at once; opening again takes 280 ms', () => {
    const { toggle } = useMenuStore.getState()
    const collapsed = () => useMenuStore.getState().collapsed
    toggle()
    expect(collapsed()).toBe(true)
    vi.advanceTimersByTime(279)
    toggle()
    expect(collapsed()).toBe(true)
    vi.advanceTimersByTime(1)
    toggle()
    expect(collapsed()).toBe(false)
  })

  it('and the width are kept between visits', () => {
    useMenuStore.getState().resize(301)
    expect(JSON.parse(localStorage.getItem('side_menu') ?? '{}')).toMatchObject({ width: 301, collapsed: false })
  })
})
