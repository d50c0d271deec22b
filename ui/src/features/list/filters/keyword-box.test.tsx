import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ListController } from '../use-list-controller'
import { KeywordBox } from './keyword-box'

const setKeyword = vi.fn()
const controller = (keyword = '', searchable = true) =>
  ({
    view: { keyword },
    setKeyword,
    config: { searchable, searched: [{ name: '编号', name_i18n: {} }], modelName: '批', modelName_i18n: {} },
  }) as unknown as ListController
const box = () => screen.getByRole('searchbox') as HTMLInputElement

describe('the search box', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    setKeyword.mockClear()
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
  })

  it('asks after a pause, once', () => {
    render(<KeywordBox controller={controller()} />)
    fireEvent.change(box(), { target: { value: '闸' } })
    vi.advanceTimersByTime(200)
    fireEvent.change(box(), { target: { value: '闸室 ' } })
    vi.advanceTimersByTime(499)
    expect(setKeyword).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(setKeyword.mock.calls).toEqual([['闸室']])
  })

  it('does not ask for the letters that a Chinese word is being written with', () => {
    render(<KeywordBox controller={controller()} />)
    fireEvent.compositionStart(box())
    fireEvent.change(box(), { target: { value: 'zha' } })
    fireEvent.keyDown(box(), { key: 'Escape' })
    vi.advanceTimersByTime(1000)
    expect(setKeyword).not.toHaveBeenCalled()
    expect(box().value).toBe('zha')
    fireEvent.change(box(), { target: { value: '闸' } })
    fireEvent.compositionEnd(box())
    vi.advanceTimersByTime(500)
    expect(setKeyword.mock.calls).toEqual([['闸']])
  })

  it('is emptied by Esc at once, and left by the next', () => {
    render(<KeywordBox controller={controller('闸')} />)
    box().focus()
    fireEvent.keyDown(box(), { key: 'Escape' })
    expect(setKeyword.mock.calls).toEqual([['']])
    expect(box().value).toBe('')
    expect(document.activeElement).toBe(box())
    fireEvent.keyDown(box(), { key: 'Escape' })
    expect(document.activeElement).not.toBe(box())
  })

  it('follows the address, but not its own echo', () => {
    const { rerender } = render(<KeywordBox controller={controller()} />)
    fireEvent.change(box(), { target: { value: 'ab' } })
    vi.advanceTimersByTime(500)
    fireEvent.change(box(), { target: { value: 'abc' } })
    rerender(<KeywordBox controller={controller('ab')} />)
    expect(box().value).toBe('abc')
    vi.advanceTimersByTime(500)
    rerender(<KeywordBox controller={controller('abc')} />)
    rerender(<KeywordBox controller={controller('')} />)
    expect(box().value).toBe('')
  })

  it('is not there where nothing may be searched', () => {
    render(<KeywordBox controller={controller('', false)} />)
    expect(screen.queryByRole('searchbox')).toBeNull()
  })
})
