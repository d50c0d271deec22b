import { expect, it, vi } from 'vitest'
import { tablePart, whileScrolling } from './table-part'

it('finds the parts of a table, and names those that are not there', () => {
  const told = vi.fn()
  vi.stubGlobal('reportError', told)
  const table = document.createElement('div')
  table.innerHTML = '<div class="rows"></div>'
  expect(tablePart(table, '.rows')).toBe(table.firstElementChild)
  expect(told).not.toHaveBeenCalled()
  expect(tablePart(table, '.body')).toBeNull()
  expect(tablePart(table, '.head', 'header')).toBeNull()
  expect(told.mock.calls.map(([error]) => error.message)).toEqual([
    'cannot find form element: .body',
    'cannot find header element: .head',
  ])
  vi.unstubAllGlobals()
})

it('works every 150 ms while something within the table is scrolled, until it is ended', () => {
  vi.useFakeTimers()
  const table = document.createElement('div')
  const rows = table.appendChild(document.createElement('div'))
  const work = vi.fn()
  const end = whileScrolling(table, work)
  const scroll = () => rows.dispatchEvent(new Event('scroll'))
  scroll()
  for (let at = 0; at < 450; at += 15) {
    vi.advanceTimersByTime(15)
    scroll()
  }
  expect(work.mock.calls.length).toBeGreaterThanOrEqual(3)
  expect(work.mock.calls.length).toBeLessThanOrEqual(4)
  end()
  work.mockClear()
  scroll()
  vi.advanceTimersByTime(1000)
  expect(work).not.toHaveBeenCalled()
  vi.useRealTimers()
})
