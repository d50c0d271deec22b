// @vitest-environment node
import { expect, it } from 'vitest'
import { trimmed } from './trimmed'

it('takes white space of any kind from both ends, and none from within', () => {
  expect(trimmed('\u3000\u00a0a\u3000b\u2003\u200b\ufeff\r\n')).toBe('a\u3000b')
  expect(trimmed(' \t\n\u00a0\u1680\u2028\u202f\u205f\u3000\u200b\u2060\ufeff\u0085')).toBe('')
})
