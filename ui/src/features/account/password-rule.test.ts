import { describe, expect, it } from 'vitest'
import { minimumLength, passwordProblem } from './password-rule'

describe('password rule', () => {
  it.each([
    ['Lock2026', 8, null],
    ['lock2026', 8, 'weak'],
    ['LOCK2026', 8, 'weak'],
    ['Lockgate', 8, 'weak'],
    ['Lock 2026', 8, 'characters'],
    ['Lock2026闸', 8, 'characters'],
    ['', 8, 'missing'],
    ['Lock202', 8, 'weak'],
    ['Lock20261234567', 8, null],
    [`Lock2026${'x'.repeat(56)}`, 8, null],
    [`Lock2026${'x'.repeat(57)}`, 8, 'weak'],
    ['Lock2026', 12, 'weak'],
    ['LockGate2026', 12, null],
  ])('%s with at least %i: %s', (password, minimum, problem) => {
    expect(passwordProblem(password, minimum)).toBe(problem)
  })

  it('is stricter for administrators', () => {
    expect(minimumLength(['APP_MNG'])).toBe(12)
    expect(minimumLength([])).toBe(8)
  })
})
