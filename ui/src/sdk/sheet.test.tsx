import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { useState } from 'react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { windowOf } from '@/testing/window-width'
import { Sheet } from './sheet'

function Example({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('before')
  return (
    <App>
      <Sheet title="Rename" width={400} onClose={onClose} footer={<button type="button">Save</button>}>
        <input aria-label="Name" type="text" value={text} onChange={(event) => setText(event.target.value)} />
        <input aria-label="Search" type="search" />
      </Sheet>
    </App>
  )
}

beforeAll(async () => {
  await startI18n()
  await setLocale('en')
  await loadAllTexts()
})

afterEach(() => vi.unstubAllGlobals())

const pressEscape = () =>
  fireEvent.keyDown(screen.getByRole('dialog', { name: 'Rename' }), { key: 'Escape', keyCode: 27 })

test('Escape closes a dialog at once when nothing was typed, or typed and taken back', async () => {
  const close = vi.fn()
  render(<Example onClose={close} />)
  const name = await screen.findByLabelText('Name')
  fireEvent.focus(name)
  fireEvent.change(name, { target: { value: 'after' } })
  fireEvent.change(name, { target: { value: 'before' } })
  fireEvent.focus(screen.getByLabelText('Search'))
  fireEvent.change(screen.getByLabelText('Search'), { target: { value: 'wall' } })
  pressEscape()
  await waitFor(() => expect(close).toHaveBeenCalledTimes(1))
})

test('typed text is not lost by Escape', async () => {
  const close = vi.fn()
  render(<Example onClose={close} />)
  const name = await screen.findByLabelText('Name')
  fireEvent.focus(name)
  fireEvent.change(name, { target: { value: 'after' } })
  pressEscape()
  fireEvent.click(await screen.findByRole('button', { name: 'Keep editing' }))
  expect(close).not.toHaveBeenCalled()
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('after')
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  fireEvent.click((await screen.findAllByRole('button', { name: 'Discard changes' })).at(-1) as HTMLElement)
  await waitFor(() => expect(close).toHaveBeenCalledTimes(1))
})

test('on a phone the first field has the focus, unless it searches', async () => {
  const usual = window.matchMedia
  vi.stubGlobal('matchMedia', (query: string) => ({ ...usual(query), matches: query.includes('719px') }))
  const { unmount } = render(<Example onClose={() => {}} />)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name')))
  unmount()
  render(
    <App>
      <Sheet title="Choose" width={400} onClose={() => {}} footer={null}>
        <input aria-label="Search" type="search" />
      </Sheet>
    </App>,
  )
  await screen.findByLabelText('Search')
  await new Promise((go) => setTimeout(go, 600))
  expect(document.activeElement).not.toBe(screen.getByLabelText('Search'))
})

function Counter() {
  const [count, setCount] = useState(0)
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {`Pressed ${count}`}
    </button>
  )
}

test.each([
  [1024, 390],
  [390, 1024],
])('what was done in a dialog stays when the window goes from %i to %i', async (from, to) => {
  const resize = windowOf(from)
  render(
    <App>
      <Sheet title="Count" width={400} onClose={() => {}} footer={null}>
        <Counter />
      </Sheet>
    </App>,
  )
  const button = await screen.findByText('Pressed 0')
  fireEvent.click(button)
  button.focus()
  resize(to)
  expect(screen.getByText('Pressed 1')).toBe(button)
  expect(document.activeElement).toBe(button)
})
