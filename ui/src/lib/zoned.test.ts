// @vitest-environment node
import { expect, test } from 'vitest'
import { instantOf } from './zoned'

test('a local time is the instant at which the clocks of the zone show it', () => {
  expect(instantOf('2026-11-21T09:30', 'Asia/Shanghai')).toBe('2026-11-21T01:30:00Z')
  expect(instantOf('2026-07-01T09:30', 'Europe/Berlin')).toBe('2026-07-01T07:30:00Z')
  expect(instantOf('2026-03-29T03:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00Z')
  expect(instantOf('', 'Asia/Shanghai')).toBeNull()
  expect(instantOf('2026-99-21T09:30', 'Asia/Shanghai')).toBeNull()
})
