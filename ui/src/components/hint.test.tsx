import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Hint } from './hint'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})
const shown = () => document.querySelector('.ant-tooltip:not(.ant-tooltip-hidden)') !== null
const pass = () => act(() => vi.advanceTimersByTime(1000))

it('a hint goes when its button is pressed, and comes again only when that is pointed at anew', () => {
  render(
    <Hint title="Columns">
      <button type="button">x</button>
    </Hint>,
  )
  pass()
  const button = screen.getByRole('button')
  fireEvent.mouseEnter(button)
  fireEvent.pointerEnter(button)
  pass()
  expect(shown()).toBe(true)
  fireEvent.pointerDown(button)
  fireEvent.click(button)
  pass()
  expect(shown()).toBe(false)
  fireEvent.mouseEnter(button)
  fireEvent.pointerEnter(button)
  pass()
  expect(shown()).toBe(false)
  fireEvent.pointerLeave(button)
  fireEvent.mouseLeave(button)
  fireEvent.mouseEnter(button)
  fireEvent.pointerEnter(button)
  pass()
  expect(shown()).toBe(true)
})

it('a hint leaves its control the same element, with its focus, before and while it shows', () => {
  render(
    <Hint title="Columns">
      <button type="button">x</button>
    </Hint>,
  )
  const button = screen.getByRole('button')
  const around = button.parentElement
  button.focus()
  fireEvent.pointerEnter(button)
  pass()
  expect(shown()).toBe(true)
  expect(screen.getByRole('button')).toBe(button)
  expect(document.activeElement).toBe(button)
  expect(around?.children.length).toBe(1)
})

it('a hint goes when what its control is in scrolls', () => {
  render(
    <div data-testid="list">
      <Hint title="Columns">
        <button type="button">x</button>
      </Hint>
    </div>,
  )
  fireEvent.pointerEnter(screen.getByRole('button'))
  pass()
  expect(shown()).toBe(true)
  fireEvent.scroll(screen.getByTestId('list'))
  pass()
  expect(shown()).toBe(false)
})
