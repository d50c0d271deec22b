import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
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
