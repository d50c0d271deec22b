import { describe, expect, it } from 'vitest'
import { minimumLength, passwordAccepted } from './password-rule'

describe('password rule', () => {
  it.each([
    ['Lock2026', 8, true],
    ['lock2026', 8, false],
    ['LOCK2026', 8, false],
    ['Lockgate', 8, false],
    ['Lock 2026', 8, false],
    ['Lock2026闸', 8, false],
    ['Lock202', 8, false],
    ['Lock20261234567', 8, true],
    [`Lock2026${'x'.repeat(56)}`, 8, true],
    [`Lock2026${'x'.repeat(57)}`, 8, false],
    ['Lock2026', 12, false],
    ['LockGate2026', 12, true],
  ])('%s with at least %i: %s', (password, minimum, accepted) => {
    expect(passwordAccepted(password, minimum)).toBe(accepted)
  })

  it('is stricter for administrators', () => {
    expect(minimumLength(['APP_MNG'])).toBe(12)
    expect(minimumLength([])).toBe(8)
  })
})
