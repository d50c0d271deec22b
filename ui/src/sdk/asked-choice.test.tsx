import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AskedChoice, namedChoice } from './asked-choice'

const people: { id: string; name: string; named?: string }[] = [
  { id: '1', name: 'Cao Yong' },
  { id: '2', name: 'Wang Fang' },
]
let chosen: string[] = []
let answers: (() => void)[] = []

/** The server finds people by their sounds, which the page does not know. */
const query = (keyword: string) => ({
  queryKey: ['people', keyword],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    new Promise<typeof people>((done, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason))
      if (keyword === '') return done(people)
      answers.push(() =>
        done(
          keyword === 'wf'
            ? [{ id: '2', name: 'Wang Fang', named: 'sound' }]
            : keyword === 'wang'
              ? [{ id: '2', name: 'Wang Fang' }]
              : [],
        ),
      )
    }),
})

function Field() {
  const [value, setValue] = useState<string[]>([])
  chosen = value
  return (
    <>
      <AskedChoice
        aria-label="Person"
        value={value}
        onChange={setValue}
        query={query}
        choices={(found) => found.map(namedChoice)}
      />
      <button type="button">Next</button>
    </>
  )
}

beforeEach(() => {
  vi.useFakeTimers()
  answers = []
})
afterEach(() => void vi.useRealTimers())

const wait = (time: number) => act(() => vi.advanceTimersByTimeAsync(time))

async function typed(text: string) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Field />
    </QueryClientProvider>,
  )
  await wait(0)
  const input = screen.getByRole<HTMLInputElement>('combobox')
  input.focus()
  fireEvent.mouseDown(input)
  await wait(0)
  fireEvent.change(input, { target: { value: text } })
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(chosen).toEqual([])
  return input
}

it('chooses with Enter what the text finds, when that has come', async () => {
  const input = await typed('wf')
  await wait(200)
  expect(chosen).toEqual([])
  await act(async () => answers.at(-1)?.())
  await wait(0)
  expect(chosen).toEqual(['2'])
  expect(input.closest('.ant-select')?.textContent).toMatch(/^Wang Fang/)
})

it('chooses it also when the box is left meanwhile', async () => {
  const input = await typed('wf')
  fireEvent.blur(input, { relatedTarget: screen.getByText('Next') })
  await wait(1000)
  await act(async () => {
    for (const answer of answers) answer()
  })
  await wait(0)
  expect(chosen).toEqual(['2'])
  expect(screen.queryByRole('alert')).toBeNull()
})

it('chooses nothing for a text that finds a longer name, and says so', async () => {
  const input = await typed('wang')
  await wait(200)
  await act(async () => answers.at(-1)?.())
  await wait(0)
  expect(chosen).toEqual([])
  expect(screen.getByRole('status').textContent).toBe('picker.longer')
  fireEvent.keyDown(input, { key: 'Tab' })
  await wait(0)
  expect(chosen).toEqual([])
  expect(screen.getByRole('alert').textContent).toBe('picker.longer')
})

it('chooses nothing for a text that finds nothing', async () => {
  await typed('nobody')
  await wait(200)
  await act(async () => answers.at(-1)?.())
  await wait(0)
  expect(chosen).toEqual([])
})
