import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { DateBox } from './date-box'

const clicked = (box: HTMLInputElement, caret: number) => {
  fireEvent.mouseDown(box)
  box.focus()
  box.setSelectionRange(caret, caret)
  fireEvent.click(box)
  return [box.selectionStart, box.selectionEnd]
}

it('the first click selects a day, so that typing replaces it; the second one sets the caret', () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <DateBox
        kind="date"
        format="yyyy-MM-dd"
        value="2026-11-22"
        label="day"
        onChange={() => undefined}
        onUnread={() => undefined}
      />
    </QueryClientProvider>,
  )
  const box = screen.getByRole<HTMLInputElement>('textbox', { name: 'day' })
  expect(clicked(box, 10)).toEqual([0, 10])
  expect(clicked(box, 4)).toEqual([4, 4])
  box.blur()
  expect(clicked(box, 7)).toEqual([0, 10])
})
