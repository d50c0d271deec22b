import { act, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useTurn } from './use-turn'

/** What each observer waits for. */
const seen = new Map<Element, () => void>()

beforeEach(() => {
  seen.clear()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(readonly tell: (entries: { isIntersecting: boolean }[]) => void) {}
      observe(of: Element) {
        seen.set(of, () => this.tell([{ isIntersecting: true }]))
      }
      disconnect() {}
    },
  )
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

function Chart({ name, many }: { name: string; many: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  return <div ref={box}>{useTurn(box, many) ? `${name} drawn` : `${name} waits`}</div>
}
const look = (name: string) => act(() => seen.get(screen.getByText(`${name} waits`))?.())
const page = () => document.body.textContent

test('charts with many points are drawn when they are seen, one after the other, and all of them on paper', () => {
  render(['a', 'b', 'c', 'd'].map((name) => <Chart key={name} name={name} many={name !== 'd'} />))
  expect(page()).toBe('a waitsb waitsc waitsd drawn')
  look('a')
  look('b')
  act(() => void vi.advanceTimersToNextTimer())
  expect(page()).toBe('a drawnb waitsc waitsd drawn')
  act(() => void vi.advanceTimersToNextTimer())
  expect(page()).toBe('a drawnb drawnc waitsd drawn')
  act(() => void window.dispatchEvent(new Event('beforeprint')))
  expect(page()).toBe('a drawnb drawnc drawnd drawn')
})
