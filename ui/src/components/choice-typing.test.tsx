import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { Choice } from './choice'

const options = [
  { value: 'q_setout', label: '施工放样报验单' },
  { value: 'q_record', label: '检查记录' },
  { value: 'q_hidden', label: '隐蔽工程验收记录' },
]

afterEach(() => vi.unstubAllGlobals())

/** Media queries that hold are those that have no other words than these. */
function media(...words: string[]) {
  const matches = (query: string) => query.split(' and ').every((part) => words.includes(part))
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: matches(query),
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
}

const KEYS: Record<string, number> = { Enter: 13, Tab: 9, ArrowDown: 40, Escape: 27 }

function press(box: HTMLElement, key: string) {
  fireEvent.keyDown(box, { key, code: key, keyCode: KEYS[key], which: KEYS[key] })
}

function open(offered = options) {
  const chosen = vi.fn()
  render(<Choice aria-label="kind" options={offered} onChange={(value) => chosen(value)} />)
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
  })
  await act(async () => {}) // the list highlights after it has drawn
  // It is called otherwise: Enter and Tab take it only where the arrows lead to it.
  expect(document.querySelector('.ant-select-item-option-active')).toBeNull()
  press(box, 'Enter')
  press(box, 'Tab')
  expect(chosen).not.toHaveBeenCalled()
  press(box, 'ArrowDown')
  press(box, 'Enter')
  expect(chosen).toHaveBeenCalledWith(want)
})

it.each([
  ['检查记录', 'q_record', 'Enter'],
  [' 检查 记录', 'q_record', 'Tab'],
  ['q_hidden', 'q_hidden', 'Enter'],
  ['jianchajilu', 'q_record', 'Enter'],
  ['ybgcysjl', 'q_hidden', 'Tab'],
])('takes the one that %s names: %s, by %s', async (text, want, key) => {
  const { box, chosen } = open([{ value: 'longer', label: '检查记录表' }, ...options])
  fireEvent.change(box, { target: { value: text } })
  const label = options.find(({ value }) => value === want)?.label
  await waitFor(() => expect(document.querySelector('.ant-select-item-option-active')?.textContent).toBe(label))
  press(box, key)
  expect(chosen).toHaveBeenCalledWith(want)
})

/** As a browser does: each event is done with before the next, and what the events begin runs between them when there is time. */
async function quickly(...events: (() => void)[]) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  for (const event of events) {
    event()
    await Promise.resolve()
  }
}

it.each(['Enter', 'Tab'])('takes by %s what is typed before the list has highlighted it', async (key) => {
  const { box, chosen } = open()
  const type = (text: string) => () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(box, text)
    box.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  await quickly(type('检'), type('检查记录'), () =>
    box.dispatchEvent(new KeyboardEvent('keydown', { key, keyCode: KEYS[key] ?? 0, bubbles: true, cancelable: true })),
  )
  await waitFor(() => expect(box.getAttribute('aria-expanded')).toBe('false'))
  expect(chosen).toHaveBeenCalledWith('q_record')
})

it('takes none of several that are called so, and nothing by Tab where nothing is typed', async () => {
  const { box, chosen } = open([{ value: 'other', label: '检查记录' }, ...options])
  press(box, 'Tab')
  fireEvent.change(box, { target: { value: '检查记录' } })
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2))
  press(box, 'Tab')
  press(box, 'Enter')
  expect(chosen).not.toHaveBeenCalled()
})

it('finds in a narrow window, where somebody types', async () => {
  media('(max-width: 719px)')
  const { box, chosen } = open()
  fireEvent.change(box, { target: { value: '检查' } })
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1))
  press(box, 'ArrowDown')
  press(box, 'Enter')
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
  press(box, 'Enter')
  expect(chosen).not.toHaveBeenCalled()
})

it.each([
  ['Enter', '检查记录', false],
  ['Enter', 'jianchajilu', true],
  ['Tab', '检查记录', true],
])('%s after %s waits for options that are not there yet', async (key, text, left) => {
  const chosen = vi.fn()
  const { rerender } = render(<Choice aria-label="kind" onChange={(value) => chosen(value)} />)
  const box = screen.getByRole('combobox', { name: 'kind' })
  fireEvent.mouseDown(box)
  fireEvent.change(box, { target: { value: text } })
  press(box, key)
  if (left) fireEvent.blur(box)
  rerender(<Choice aria-label="kind" options={options} onChange={(value) => chosen(value)} />)
  await waitFor(() => expect(chosen).toHaveBeenCalledWith('q_record'))
  rerender(<Choice aria-label="kind" options={[...options]} onChange={(value) => chosen(value)} />)
  await waitFor(() => expect(box.getAttribute('aria-expanded')).toBe('false'))
  expect(chosen).toHaveBeenCalledTimes(1)
})

it('what was confirmed and left stays in its box until the options are there, and Escape takes it back', async () => {
  for (const escapes of [false, true]) {
    const chosen = vi.fn()
    const { rerender, unmount } = render(<Choice aria-label="kind" onChange={(value) => chosen(value)} />)
    const box = screen.getByRole('combobox', { name: 'kind' })
    fireEvent.mouseDown(box)
    await act(() => new Promise((done) => setTimeout(done))) // a press ends
    fireEvent.change(box, { target: { value: '检查记录' } })
    press(box, 'Enter')
    if (escapes) press(box, 'Escape')
    else act(() => box.blur())
    await waitFor(() => expect(box.getAttribute('aria-expanded')).toBe('false'))
    expect((box as HTMLInputElement).value).toBe(escapes ? '' : '检查记录')
    rerender(<Choice aria-label="kind" options={options} onChange={(value) => chosen(value)} />)
    if (escapes) await act(async () => {})
    else await waitFor(() => expect(chosen).toHaveBeenCalledWith('q_record'))
    expect(chosen).toHaveBeenCalledTimes(escapes ? 0 : 1)
    unmount()
  }
})

it('Enter waits until the sounds are known', async () => {
  const { box, chosen } = open()
  fireEvent.change(box, { target: { value: 'jianchajilu' } })
  press(box, 'Enter')
  await waitFor(() => expect(chosen).toHaveBeenCalledWith('q_record'))
})

it('several are chosen of options that came late', async () => {
  const chosen = vi.fn()
  const props = { mode: 'multiple' as const, value: ['q_setout'], onChange: (value: string[]) => chosen(value) }
  const { rerender } = render(<Choice aria-label="kind" {...props} />)
  const box = screen.getByRole('combobox', { name: 'kind' })
  fireEvent.mouseDown(box)
  fireEvent.change(box, { target: { value: '检查记录' } })
  press(box, 'Enter')
  rerender(<Choice aria-label="kind" {...props} options={options} />)
  await waitFor(() => expect(chosen).toHaveBeenCalledWith(['q_setout', 'q_record']))
})
