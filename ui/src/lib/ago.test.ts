// @vitest-environment node
import { expect, test } from 'vitest'
import { agoStep } from './ago'

const now = Date.parse('2026-11-21T12:00:00Z')

test.each([
  ['2026-11-21T12:00:03Z', 'now'], // a clock that is a little ahead
  ['2026-11-21T11:55:01Z', 'now'],
  ['2026-11-21T11:55:00Z', 5],
  ['2026-11-21T11:50:01Z', 5],
  ['2026-11-21T11:50:00Z', 10],
  ['2026-11-21T11:30:01Z', 10],
  ['2026-11-21T11:30:00Z', null],
  ['2025-11-21T12:00:00Z', null],
])('%s was %s ago', (iso, step) => expect(agoStep(iso, now)).toBe(step))
