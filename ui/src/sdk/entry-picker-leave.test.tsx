import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import type { Entry } from '@/api/types'
import { EntryPicker } from './entry-picker'

const wang: Entry = { id: '1', name: 'Wang', imgUrl: null, type: 3, detail: null, leaf: true }

it('a text that found nothing stays out of a box that was left for its own Clear button', async () => {
  const answers: (() => void)[] = []
  const find = () =>
    new Promise<{ content: Entry[]; totalElements: number }>((answer) =>
      answers.push(() => answer({ content: [], totalElements: 0 })),
    )
  function Field() {
    const [value, setValue] = useState([wang])
    return (
      <EntryPicker id="crew" schemaCode="" propertyCode="" multiple find={find} value={value} onChange={setValue} />
    )
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Field />
    </QueryClientProvider>,
  )
  const input = screen.getByRole<HTMLInputElement>('combobox')
  input.focus()
  fireEvent.mouseDown(input)
  fireEvent.change(input, { target: { value: 'nobody' } })
  fireEvent.keyDown(input, { key: 'Enter' })
  fireEvent.keyDown(input, { key: 'Tab' })
  screen.getByRole('button', { name: 'common.clear' }).focus()
  await act(async () => {
    for (const answer of answers) answer()
  })
  expect((await screen.findByRole('alert')).textContent).toContain('picker.missed')
  expect(input.value).toBe('')
})

it('an answer that was on its way when the box was left is taken', async () => {
  vi.useFakeTimers()
  let answer = () => {}
  const li: Entry = { ...wang, id: '2', name: 'Li', named: 'text' }
  const find = (keyword: string, _size: number, signal: AbortSignal) =>
    new Promise<{ content: Entry[]; totalElements: number }>((done, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason))
      if (keyword === '') done({ content: [wang], totalElements: 1 })
      else answer = () => done({ content: [li], totalElements: 1 })
    })
  let chosen: Entry[] = []
  function Field() {
    const [value, setValue] = useState<Entry[]>([])
    chosen = value
    return <EntryPicker id="boss" schemaCode="" propertyCode="" find={find} value={value} onChange={setValue} />
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Field />
    </QueryClientProvider>,
  )
  const input = screen.getByRole<HTMLInputElement>('combobox')
  input.focus()
  fireEvent.mouseDown(input)
  fireEvent.change(input, { target: { value: 'li' } })
  await act(() => vi.advanceTimersByTimeAsync(200)) // the text has rested and is asked for
  fireEvent.keyDown(input, { key: 'Tab' })
  await act(() => vi.advanceTimersByTimeAsync(1000)) // a slow network
  await act(async () => answer())
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(chosen).toEqual([li])
  vi.useRealTimers()
})
