import { expect, test, vi } from 'vitest'
import { newToken } from './token'

test('keys differ, also where the page has no TLS', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  expect(newToken()).toMatch(/^[0-9a-f]{32}$/)
  expect(newToken()).not.toBe(newToken())
  vi.unstubAllGlobals()
})
