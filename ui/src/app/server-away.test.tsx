import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ASK_EVERY, serverBack } from '@/lib/server-away'
import { ServerAway } from './server-away'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const answering = (...answers: (number | null)[]) => {
  const asked = vi.fn(async () => {
    const status = answers.length > 1 ? answers.shift() : answers[0]
    if (!status) throw new TypeError('Failed to fetch')
    return new Response(null, { status })
  })
  vi.stubGlobal('fetch', asked)
  return asked
}

it.each([200, 404, 429, 500])('a server that answers %s is there', async (status) => {
  const asked = answering(status)
  await expect(serverBack()).resolves.toBe(false)
  expect(asked).toHaveBeenCalledOnce()
})

it.each([[null], [502], [503], [504]])('waits for one that answers %s, and says so', async (status) => {
  const asked = answering(status, status, status, 200)
  render(<ServerAway />)
  const many = Promise.all([serverBack(), serverBack(), serverBack()])
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(screen.getByText('common.serverAway')).toBeTruthy()
  const before = asked.mock.calls.length
  await act(() => vi.advanceTimersByTimeAsync(ASK_EVERY * 4))
  await expect(many).resolves.toEqual([true, true, true])
  expect(asked.mock.calls.length - before, 'one asks for all').toBeLessThanOrEqual(3)
  expect(screen.queryByText('common.serverAway')).toBeNull()
})
