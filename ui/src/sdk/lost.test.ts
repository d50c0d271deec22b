import { expect, it } from 'vitest'
import { ApiError } from '@/api/client'
import { isFinal, lostOf } from './lost'

const refusal = (status: number) => new ApiError('no', { code: 1, status })

it('keeps what is on the screen when it cannot be read again, unless it is gone', () => {
  const away = refusal(500)
  expect(lostOf({ data: undefined, error: null })).toBeNull()
  expect(lostOf({ data: undefined, error: away })).toBe(away)
  expect(lostOf({ data: [], error: away })).toBeNull()
  for (const status of [403, 404]) expect(isFinal(lostOf({ data: [], error: refusal(status) }))).toBe(true)
  for (const status of [408, 423, 429, 503]) expect(lostOf({ data: [], error: refusal(status) })).toBeNull()
})
