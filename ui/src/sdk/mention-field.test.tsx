import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Entry } from '@/api/types'
import { rankChoices } from '@/lib/find-choice'
import type { Person } from '@/lib/mentions'
import { loadPinyin, matchWith } from '@/lib/pinyin'
import { PAIRS, READINGS } from '@/testing/names'
import { MentionField } from './mention-field'

const match = matchWith(await loadPinyin())
const entry = (id: string, name: string, detail?: string): Entry => ({
  id,
  name,
  imgUrl: null,
  type: null,
  detail: detail ?? null,
  leaf: true,
})

/** The server's answer: the best first, each with how the text names it. */
const answer = (all: Entry[], keyword: string) => ({
  content: rankChoices(all, keyword, ({ name }) => ({ names: [name] }), match).map(({ choice, named }) =>
    named ? { ...choice, named } : choice,
  ),
})

let picked: Person[] = []
let asked: string[] = []

function show(all: Entry[], slow = false) {
  function Field() {
    const [value, setValue] = useState('')
    return (
      <MentionField
        people={(word) => ({
          queryKey: ['people', word],
          queryFn: async () => {
            asked.push(word)
            if (slow) await new Promise((done) => setTimeout(done, 500))
            return answer(all, word)
          },
        })}
        words={{ people: 'people', nobody: 'nobody' }}
        value={value}
        onChange={setValue}
        onPick={(one) => picked.push(one)}
        offers="below"
        invalid={false}
        placeholder=""
        rows={{ min: 1, max: 2 }}
      />
    )
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Field />
    </QueryClientProvider>,
  )
  return screen.getByRole<HTMLTextAreaElement>('textbox')
}

function type(box: HTMLTextAreaElement, text: string) {
  box.focus()
  fireEvent.change(box, { target: { value: text } })
  box.setSelectionRange(text.length, text.length)
  fireEvent.select(box)
}

const rest = async (times = 3) => {
  for (let i = 0; i < times; i++) await act(() => vi.advanceTimersByTimeAsync(200))
}
const press = (box: HTMLElement, key: string) => fireEvent.keyDown(box, { key })
const ids = () => picked.map(({ id }) => id)

beforeEach(() => {
  vi.useFakeTimers()
  picked = []
  asked = []
})
afterEach(() => {
  vi.useRealTimers()
  cleanup()
})

describe('a mentioned name beside a longer one', () => {
  const word = (name: string) => name.replaceAll(' ', '')
  it.each(PAIRS)('%s is not %s', async (name, longer) => {
    for (const key of ['Enter', 'Tab']) {
      let box = show([entry('long', longer), entry('own', name)])
      type(box, `@${word(name)}`)
      await rest()
      press(box, key)
      expect(ids(), key).toEqual(['own'])
      expect(box.value).toBe(`@${name} `)
      cleanup()
      picked = []
      box = show([entry('long', longer)])
      type(box, `@${word(name)}`)
      await rest()
      const typed = press(box, key)
      expect(ids(), `${key}, the longer one alone`).toEqual([])
      if (key === 'Enter') expect(screen.getByRole('status').textContent).toBe('picker.longer')
      else expect(typed).toBe(true) // it leads on
      cleanup()
    }
  })
  it.each(READINGS)('$name by its sounds', async ({ name, sounds }) => {
    for (const sound of sounds) {
      picked = []
      const box = show([entry('own', name)])
      type(box, `@${sound}`)
      await rest()
      press(box, 'Enter')
      expect(ids(), sound).toEqual(['own'])
      cleanup()
    }
  })
})

it('the arrows lead to anybody, and the mouse takes whom it points at', async () => {
  const all = [entry('1', '李娜'), entry('2', '李娜娜')]
  let box = show(all)
  type(box, '@李')
  await rest()
  expect(screen.queryByRole('option', { selected: true })).toBeNull()
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) press(box, key)
  expect(ids()).toEqual(['2'])
  cleanup()
  box = show(all)
  type(box, '@')
  await rest()
  expect(press(box, 'Enter')).toBe(true) // a new line: nobody is named
  fireEvent.click(screen.getAllByRole('option')[1] as HTMLElement)
  expect(ids()).toEqual(['2', '2'])
})

it('Enter waits for its answer, and takes nothing that an earlier text has found', async () => {
  const box = show([entry('1', '李娜'), entry('2', '李雷')], true)
  type(box, '@李娜')
  await rest(5)
  type(box, '@李雷')
  expect(press(box, 'Enter')).toBe(false)
  expect(ids()).toEqual([])
  await rest(5)
  expect(ids()).toEqual(['2'])
  expect(asked).toContain('李雷')
})

it('what is typed on forgets an Enter that came before the answer', async () => {
  const box = show([entry('1', '李娜'), entry('2', '李娜娜')], true)
  type(box, '@李娜')
  press(box, 'Enter')
  type(box, '@李娜娜')
  await rest(6)
  expect(ids()).toEqual([])
})

it('of several who are called so nobody is taken', async () => {
  const box = show([entry('1', '李雷', '一队'), entry('2', '李雷', '二队')])
  type(box, '@李雷')
  await rest()
  press(box, 'Enter')
  expect(ids()).toEqual([])
  expect(screen.getByRole('status').textContent).toBe('picker.several')
  expect(screen.getByText('二队')).toBeTruthy()
})
