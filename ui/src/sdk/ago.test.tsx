import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { Ago } from './ago'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await setLocale('en')
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('goes on with the clock through all of its steps', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T08:00:00Z') })
  fakeServer({ '/api/system/config': { timezone: 'Asia/Shanghai' } })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Ago time="2026-11-20T08:00:00Z" />
    </QueryClientProvider>,
  )
  const shown = () => screen.getByRole('time').textContent
  const after = async (minutes: number) => {
    for (let i = 0; i < minutes; i++) await act(() => vi.advanceTimersByTimeAsync(60_000))
  }
  expect(shown()).toBe('just now')
  await after(6)
  expect(shown()).toBe('5 minutes ago')
  await after(5)
  expect(shown()).toBe('10 minutes ago')
  await after(20)
  expect(shown()).toMatch(/2026-11-20/)
})
