import { act, fireEvent } from '@testing-library/react'

/** The numbers that rc-select still reads. */
const numbers: Record<string, number> = {
  Enter: 13,
  Tab: 9,
  Escape: 27,
  ArrowUp: 38,
  ArrowDown: 40,
  ArrowLeft: 37,
  ArrowRight: 39,
  Backspace: 8,
}

/** Presses a key where the keyboard is; false when something prevented what the browser does for it. */
export function press(key: string, more: KeyboardEventInit = {}): boolean {
  const at = document.activeElement ?? document.body
  const init = { key, keyCode: numbers[key] ?? key.toUpperCase().charCodeAt(0), ...more }
  const goes = fireEvent.keyDown(at, init)
  fireEvent.keyUp(document.activeElement ?? at, init)
  return goes
}

/** Types character by character into the box that holds the keyboard. */
export async function type(text: string) {
  for (const character of text) {
    const box = document.activeElement as HTMLInputElement | HTMLTextAreaElement
    if (fireEvent.keyDown(box, { key: character, keyCode: character.toUpperCase().charCodeAt(0) }))
      fireEvent.input(box, { target: { value: `${box.value}${character}` } })
    fireEvent.keyUp(document.activeElement ?? box, { key: character })
    await act(() => new Promise((done) => setTimeout(done, 1)))
  }
}
