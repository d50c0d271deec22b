import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Choice } from './choice'

const options = [
  { value: 'q_setout', label: '施工放样报验单' },
  { value: 'q_record', label: '检查记录' },
  { value: 'q_hidden', label: '隐蔽工程验收记录' },
]

/** Media queries that hold are those that have no other words than these. */
function media(...words: string[]) {
  const matches = (query: string) => query.split(' and ').every((part) => words.includes(part))
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: matches(query),
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
}

function open() {
  const chosen = vi.fn()
  render(<Choice aria-label="kind" options={options} onChange={(value) => chosen(value)} />)
  const box = screen.getByRole('combobox', { name: 'kind' })
  fireEvent.mouseDown(box)
  return { box, chosen }
}

it.each([
  ['检查', 'q_record'],
  ['record', 'q_record'],
  ['yinbi', 'q_hidden'],
  ['sgfy', 'q_setout'],
])('a list of few finds %s', async (text, want) => {
  const { box, chosen } = open()
  fireEvent.change(box, { target: { value: text } })
  await waitFor(() => {
    expect(screen.getAllByRole('option')).toHaveLength(1)
    expect(document.querySelector('.ant-select-item-option-active')?.textContent).toBe(
      options.find(({ value }) => value === want)?.label,
    )
  })
  fireEvent.keyDown(box, { key: 'Enter', code: 'Enter', keyCode: 13, which: 13 })
  expect(chosen).toHaveBeenCalledWith(want)
})

it('finds in a narrow window, where somebody types', async () => {
  media('(max-width: 719px)')
  const { box, chosen } = open()
  fireEvent.change(box, { target: { value: '检查' } })
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1))
  fireEvent.keyDown(box, { key: 'Enter', code: 'Enter', keyCode: 13, which: 13 })
  expect(chosen).toHaveBeenCalledWith('q_record')
})

it('opens no keyboard on a phone that is touched', () => {
  media('(max-width: 719px)', '(pointer: coarse)')
  const { box } = open()
  expect(box.hasAttribute('readonly')).toBe(true)
})

it('chooses nothing where nothing is found', async () => {
  const { box, chosen } = open()
  fireEvent.change(box, { target: { value: '没有的' } })
  await waitFor(() => expect(screen.queryAllByRole('option')).toHaveLength(0))
  fireEvent.keyDown(box, { key: 'Enter', code: 'Enter', keyCode: 13, which: 13 })
  expect(chosen).not.toHaveBeenCalled()
})
