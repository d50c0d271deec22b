import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ExportTask } from './api'
import type { Teller } from './watch'

vi.mock('@/api/events', () => ({ followEvents: () => () => {} }))
vi.mock('./api', async (real) => ({ ...(await real<typeof import('./api')>()), readTask: vi.fn(), download: vi.fn() }))
// Another test of the same worker may have loaded the module with the real calls.
vi.resetModules()
const { ApiError } = await import('@/api/client')
const api = await import('./api')
const { FIRST, LINGER, POLL, percentOf, watch, watchedExports } = await import('./watch')

const task = (more: Partial<ExportTask>): ExportTask => ({
  id: 'e',
  jobId: 'j',
  refId: 'f.xlsx',
  name: 'f.xlsx',
  fileSize: 0,
  schemaCode: 's',
  queryCode: 'q',
  schemaName: 'S',
  createdTime: '',
  endTime: null,
  taskStatus: 'RUN',
  status: 'RUN',
  ahead: 0,
  exportResultStatus: null,
  done: 0,
  total: 0,
  skipped: 0,
  missing: '',
  tooWide: [],
  error: null,
  ...more,
})
const answers = (...of: (ExportTask | Error)[]) => {
  for (const one of of) {
    if (one instanceof Error) vi.mocked(api.readTask).mockRejectedValueOnce(one)
    else vi.mocked(api.readTask).mockResolvedValueOnce(one)
  }
}
const started = { id: 'e', jobId: 'j', name: 'f.xlsx' }

describe('an export that is watched', () => {
  let teller: Teller
  beforeEach(() => {
    vi.useFakeTimers()
    vi.mocked(api.readTask).mockReset()
    vi.mocked(api.download).mockReset().mockResolvedValue()
    watchedExports.setState({ exports: [], inside: false })
    teller = { client: new QueryClient(), done: vi.fn(), failed: vi.fn() }
  })
  afterEach(() => vi.useRealTimers())
  const shown = () => watchedExports.getState().exports

  it('says what a file lacks', async () => {
    const { lacksOf } = await import('./lacks')
    const t = (key: string, values?: Record<string, unknown>) => `${key} ${Object.values(values ?? {})}`
    expect(lacksOf({ skipped: 0, missing: '', tooWide: [] }, t)).toEqual([])
    expect(lacksOf({ skipped: 2, missing: '\u{20bb7}\u{2000b}', tooWide: ['1,234.56 元', '7'] }, t)).toEqual([
      'skipped 2',
      'missing \u{20bb7} \u{2000b}',
      'tooWide 1,234.56 元; 7',
    ])
  })

  it('is asked for every two seconds, saved when it is done, and goes after 1.5 seconds', async () => {
    answers(task({ done: 1, total: 2 }), task({ taskStatus: 'END', exportResultStatus: 'END' }))
    expect([POLL, LINGER]).toEqual([2000, 1500])
    watch(started, teller)
    await vi.advanceTimersByTimeAsync(POLL - 1)
    expect(api.readTask).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(shown()[0]?.task?.done).toBe(1)
    expect(api.download).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(POLL)
    expect(api.download).toHaveBeenCalledExactlyOnceWith('e')
    expect(teller.done).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: 'f.xlsx' }))
    expect(shown()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(LINGER)
    expect(shown()).toEqual([])
    await vi.advanceTimersByTimeAsync(10 * POLL)
    expect(api.readTask).toHaveBeenCalledTimes(2)
  })

  it('says nothing beside the dialog that shows it', async () => {
    watchedExports.setState({ inside: true })
    answers(task({ taskStatus: 'END', exportResultStatus: 'END' }))
    watch(started, teller)
    await vi.advanceTimersByTimeAsync(POLL)
    expect(api.download).toHaveBeenCalledOnce()
    expect(teller.done).not.toHaveBeenCalled()
  })

  it('stays as failed, with its reason', async () => {
    answers(task({ taskStatus: 'FAIL', exportResultStatus: 'FAIL', error: { code: 1, message: 'too large' } }))
    watch(started, teller)
    await vi.advanceTimersByTimeAsync(POLL + LINGER)
    expect(teller.failed).toHaveBeenCalledExactlyOnceWith('too large')
    expect(shown()[0]?.task?.taskStatus).toBe('FAIL')
    expect(api.download).not.toHaveBeenCalled()
  })

  it('stays when it was canceled, which is no failure', async () => {
    answers(task({ taskStatus: 'FAIL', exportResultStatus: 'FAIL' }))
    watch(started, teller)
    await vi.advanceTimersByTimeAsync(POLL + LINGER)
    expect(teller.failed).not.toHaveBeenCalled()
    expect(shown()).toHaveLength(1)
  })

  it('is asked again when an answer is lost, and its file is saved all the same', async () => {
    const away = new ApiError('away', { code: 999999, status: 503 })
    answers(new TypeError('no network'), away, task({ taskStatus: 'END', exportResultStatus: 'END' }))
    watch(started, teller)
    await vi.advanceTimersByTimeAsync(POLL)
    expect(shown()[0]).toMatchObject({ lost: false, silent: true })
    await vi.advanceTimersByTimeAsync(2 * POLL)
    expect(teller.failed).not.toHaveBeenCalled()
    expect(api.download).toHaveBeenCalledExactlyOnceWith('e')
    expect(shown()[0]).toMatchObject({ lost: false, silent: false })
  })

  it('counts as failed when the server says that there is none', async () => {
    answers(new ApiError('gone', { code: 1, status: 404 }))
    watch(started, teller)
    await vi.advanceTimersByTimeAsync(3 * POLL)
    expect(teller.failed).toHaveBeenCalledExactlyOnceWith(null)
    expect(shown()[0]?.lost).toBe(true)
    expect(api.readTask).toHaveBeenCalledOnce()
  })

  it('is at 30 percent first, grows by five until it is counted, and ends at 100', () => {
    const at = (more: Partial<ExportTask> | null, ms: number) => percentOf({ task: more && task(more), since: 0 }, ms)
    expect([0, 499, 500, 1000, 60_000].map((ms) => at(null, ms))).toEqual([FIRST, 30, 35, 40, 95])
    expect(at({ done: 50, total: 100 }, 60_000)).toBe(62)
    expect(at({ done: 100, total: 100 }, 0)).toBe(95)
    expect(at({ taskStatus: 'END' }, 0)).toBe(100)
  })

  it('does not grow while tasks are ahead', () => {
    const at = (ms: number) => percentOf({ task: task({ taskStatus: 'INIT', ahead: 2 }), since: 0 }, ms)
    expect([0, 5000, 60_000].map(at)).toEqual([FIRST, FIRST, FIRST])
  })
})
