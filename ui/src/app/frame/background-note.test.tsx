import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer, refuse } from '@/testing/fake-server'
import { BackgroundNote, percentOf } from './background-note'

const PATH = '/api/system/background'
const work = (done: number, total: number | null, kind = 'index') => ({
  kind,
  name: `lot (${kind})`,
  done,
  total,
  startedTime: '2026-11-20T08:00:00Z',
})

it('says how far works are together, as far as that is known', () => {
  expect(percentOf([work(10, 40), work(30, 60)])).toBe(40)
  expect(percentOf([work(40, 40)])).toBe(99)
  expect(percentOf([work(1, 2), work(3, null)])).toBeNull()
  expect(percentOf([])).toBeNull()
})

describe('the note of background work', () => {
  let works: unknown[] | null
  let server: ReturnType<typeof fakeServer>
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await setLocale('zh')
  })
  const draw = (given: unknown[] | null) => {
    works = given
    render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <BackgroundNote />
        </MemoryRouter>
      </QueryClientProvider>,
    )
  }
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    server = fakeServer({ [PATH]: () => works ?? refuse(403, 100004, 'no') })
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it('tells what goes on, and goes when that is done', async () => {
    draw([work(12_000, 40_000), work(300, null, 'formulas'), work(0, null, 'statistics')])
    fireEvent.click(await screen.findByRole('button', { name: '后台工作进行中' }))
    expect(await screen.findByText('12,000 / 40,000')).toBeTruthy()
    expect(screen.getByText('重新计算公式')).toBeTruthy()
    expect(screen.getByText('统计数据表')).toBeTruthy()
    works = [work(20_000, 40_000)]
    await pass(5_000)
    await screen.findByRole('button', { name: '后台 50%' })
    works = []
    await pass(5_000)
    await waitFor(() => expect(screen.queryByRole('button')).toBeNull())
  })

  it('asks once a minute while there is nothing, and never again where it may not', async () => {
    draw([])
    await waitFor(() => expect(server.of(PATH)).toHaveLength(1))
    await pass(30_000)
    expect(server.of(PATH)).toHaveLength(1)
    await pass(31_000)
    expect(server.of(PATH)).toHaveLength(2)
    cleanup()
    draw(null)
    await waitFor(() => expect(server.of(PATH)).toHaveLength(3))
    await pass(300_000)
    expect(server.of(PATH)).toHaveLength(3)
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('asks nothing behind a hidden window', async () => {
    draw([work(1, 2)])
    await screen.findByRole('button')
    const asked = server.of(PATH).length
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    await pass(30_000)
    expect(server.of(PATH).length).toBe(asked)
  })
})
