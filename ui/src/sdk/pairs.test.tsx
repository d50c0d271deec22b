import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Entry } from '@/api/types'
import { meaningOf, rankChoices } from '@/lib/find-choice'
import { matchWith } from '@/lib/pinyin'
import { PAIRS } from '@/testing/names'
import { EntryPicker } from './entry-picker'

const entry = (id: string, name: string, more: Partial<Entry> = {}): Entry => ({
  id,
  name,
  imgUrl: null,
  type: null,
  detail: null,
  leaf: true,
  ...more,
})

/** The server's answer: the best first, each with how the text names it. */
const answer = (all: Entry[], keyword: string) =>
  rankChoices(all, keyword, ({ name }) => ({ names: [name] }), matchWith(null)).map(({ choice, named }) =>
    named ? { ...choice, named } : choice,
  )

let chosen: Entry[] = []

function show(all: Entry[], multiple = false) {
  const find = async (keyword: string) => {
    const content = answer(all, keyword)
    return { content, totalElements: content.length }
  }
  function Field() {
    const [value, setValue] = useState<Entry[]>([])
    chosen = value
    const multi = multiple ? { multiple } : {}
    return (
      <EntryPicker id="part" schemaCode="" propertyCode="" {...multi} find={find} value={value} onChange={setValue} />
    )
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Field />
      <button type="button">next</button>
    </QueryClientProvider>,
  )
  const input = screen.getByRole<HTMLInputElement>('combobox')
  input.focus()
  fireEvent.mouseDown(input)
  return input
}

/** React sees what has come at the end of each step. */
const rest = async () => {
  for (let i = 0; i < 3; i++) await act(() => vi.advanceTimersByTimeAsync(200))
}

/** The ways by which a typed or pasted name is left. */
const ways: Record<string, (input: HTMLInputElement) => void> = {
  Enter: (input) => fireEvent.keyDown(input, { key: 'Enter' }),
  Tab: (input) => fireEvent.keyDown(input, { key: 'Tab' }),
}

beforeEach(() => {
  vi.useFakeTimers()
  chosen = []
})
afterEach(() => {
  vi.useRealTimers()
  cleanup()
})

describe('a name beside a longer one that has it', () => {
  for (const [name, longer] of PAIRS)
    it(`${name} is not ${longer}`, async () => {
      for (const [way, leave] of Object.entries(ways)) {
        for (const soon of [false, true]) {
          const both = show([entry('long', longer), entry('own', name)])
          fireEvent.change(both, { target: { value: name } })
          if (!soon) await rest()
          leave(both)
          await rest()
          expect(
            chosen.map(({ id }) => id),
            `${way} ${soon}`,
          ).toEqual(['own'])
          cleanup()
          const alone = show([entry('long', longer)])
          fireEvent.change(alone, { target: { value: name } })
          if (!soon) await rest()
          leave(alone)
          await rest()
          expect(chosen, `${way} ${soon}, the longer one alone`).toEqual([])
          cleanup()
        }
      }
    })
})

it('the mouse takes what it points at, the arrows what they lead to', async () => {
  const all = [entry('long', '三峡银行'), entry('own', '银行')]
  let input = show(all)
  fireEvent.change(input, { target: { value: '银行' } })
  await rest()
  fireEvent.click(screen.getAllByText('三峡银行').at(-1) as HTMLElement)
  await rest()
  expect(chosen.map(({ id }) => id)).toEqual(['long'])
  cleanup()
  input = show(all)
  fireEvent.change(input, { target: { value: '银' } })
  await rest()
  for (const key of ['ArrowDown', 'ArrowDown']) fireEvent.keyDown(input, { key, keyCode: 40, which: 40 })
  fireEvent.keyDown(input, { key: 'Enter' })
  await rest()
  expect(chosen.map(({ id }) => id)).toEqual(['long'])
})

it('of several that are called so none is taken, and each says what tells it apart', async () => {
  const all = ['闸室 / 左', '闸室 / 右', '闸首'].map((detail, i) => entry(String(i), '底板混凝土', { detail }))
  const input = show(all)
  fireEvent.change(input, { target: { value: '底板混凝土' } })
  await rest()
  expect(screen.getAllByText('闸室 / 左').length).toBeGreaterThan(0)
  fireEvent.keyDown(input, { key: 'Enter' })
  await rest()
  expect(chosen).toEqual([])
  expect(screen.getByRole('status').textContent).toBe('picker.several')
  fireEvent.keyDown(input, { key: 'Tab' })
  await rest()
  expect(chosen).toEqual([])
  expect(screen.getByRole('alert').textContent).toBe('picker.several')
})

it('what the text names comes first also of people and departments together', () => {
  expect(meaningOf([{ named: 'sound' }, { named: 'text', id: 1 }]).one).toEqual({ named: 'text', id: 1 })
})
