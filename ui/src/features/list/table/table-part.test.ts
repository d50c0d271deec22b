import { expect, it, vi } from 'vitest'
import { tablePart } from './table-part'

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
