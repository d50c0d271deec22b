import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Fault } from './faults'
import { type Methods, startScript } from './host'
import { newPress, pressOf } from './press'
import { type FromWorker, LIMITS, type ToWorker } from './protocol'

function setUp(methods: Methods = {}, fetch?: (url: string) => Promise<unknown>) {
  const faults: Fault[] = []
  const sent: ToWorker[] = []
  let say: (data: unknown) => void = () => {}
  let fail: () => void = () => {}
  const end = vi.fn()
  const host = startScript({
    kind: 'list',
    url: '/x.js',
    locale: 'zh',
    methods,
    fetch,
    report: (fault) => faults.push(fault),
    open: () => ({
      post: (text) => sent.push(JSON.parse(text) as ToWorker),
      listen: (message, failed) => {
        say = message
        fail = failed
      },
      end,
    }),
  })
  const worker = (message: FromWorker) => say(JSON.stringify(message))
  const ready = (...hooks: string[]) => {
    worker({ type: 'up' })
    worker({ type: 'loading' })
    worker({ type: 'ready', hooks, apis: { getQueryList: 'replace' } })
  }
  const started = async () => {
    await vi.advanceTimersByTimeAsync(0)
    return sent.findLast((one) => one.type === 'run')?.id ?? -1
  }
  return { host, faults, sent, end, worker, ready, started, raw: (data: unknown) => say(data), fail: () => fail() }
}

/**
 * Timers of a page that may not get to run: `sleep` lets time pass and then runs once whatever is due, as browsers do with timers of a
 * page that was starved.
 */
function starvedTimers() {
  let now = 0
  let last = 0
  const timers = new Map<number, { due: number; every: number; run: () => void }>()
  const start = (every: boolean) => (run: () => void, ms: number) => {
    timers.set(++last, { due: now + ms, every: every ? ms : 0, run })
    return last
  }
  const end = (id: number) => void timers.delete(id)
  vi.stubGlobal('setTimeout', start(false))
  vi.stubGlobal('setInterval', start(true))
  vi.stubGlobal('clearTimeout', end)
  vi.stubGlobal('clearInterval', end)
  vi.stubGlobal('performance', { now: () => now })
  vi.spyOn(Date, 'now').mockImplementation(() => now)
  return async (ms: number) => {
    now += ms
    for (const [id, timer] of [...timers]) {
      if (timer.due > now) continue
      if (timer.every) timer.due = now + timer.every
      else timers.delete(id)
      timer.run()
    }
    for (let i = 0; i < 10; i++) await Promise.resolve()
  }
}

describe('a script on a page that is starved', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  it.each([
    ['in a hook', true],
    ['while it loads', false],
  ])('is not ended %s because the clock went on without the page', async (_, loaded) => {
    const sleep = starvedTimers()
    const { host, ready, worker, faults, sent, end } = setUp()
    const answer = host.run('hook', 'onLoad', {})
    if (loaded) ready('onLoad')
    else worker({ type: 'loading' })
    await sleep(0)
    expect(sent.some((one) => one.type === 'run')).toBe(loaded)
    for (let i = 0; i < 5; i++) await sleep(10 * LIMITS.silence)
    expect(faults).toEqual([])
    expect(end).not.toHaveBeenCalled()
    let waited = 0
    for (; faults.length === 0 && waited < LIMITS.silence; waited += 100) await sleep(100)
    expect(faults).toEqual([{ code: 'silent', detail: loaded ? 'onLoad' : '' }])
    expect(waited).toBe(LIMITS.silence - 500)
    expect(await answer).toBeUndefined()
  })
})

describe('a script', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('answers a hook, and nothing for a hook that it lacks', async () => {
    const { host, ready, worker, started, sent } = setUp({ getRows: () => [], httpGet: () => null })
    const answer = host.run('hook', 'onLoad', { rows: [] })
    ready('onLoad')
    worker({ type: 'done', id: await started(), value: { rows: [] } })
    expect(await answer).toEqual({ rows: [] })
    expect(await host.run('hook', 'onRendered', {})).toBeUndefined()
    expect(await host.mode('getQueryList')).toBe('replace')
    expect(sent[0]).toEqual({ type: 'start', kind: 'list', url: '/x.js', locale: 'zh', methods: ['getRows'] })
  })

  it('that says nothing for two seconds is ended, and the page goes on', async () => {
    const { host, ready, faults, end, started } = setUp()
    ready('onLoad', 'onRendered')
    const [first, second] = [host.run('hook', 'onLoad', {}), host.run('hook', 'onRendered', {})]
    await started()
    await vi.advanceTimersByTimeAsync(LIMITS.silence - 1)
    expect(faults).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(await Promise.all([first, second])).toEqual([undefined, undefined])
    expect(faults).toEqual([{ code: 'silent', detail: 'onLoad' }])
    expect(end).toHaveBeenCalledOnce()
    expect(await host.run('hook', 'onLoad', {})).toBeUndefined()
  })

  it('that never loads is ended', async () => {
    const { host, worker, faults } = setUp()
    const answer = host.run('hook', 'onLoad', {})
    worker({ type: 'loading' })
    await vi.advanceTimersByTimeAsync(LIMITS.silence)
    expect(await answer).toBeUndefined()
    expect(faults).toEqual([{ code: 'silent', detail: '' }])
  })

  it('may wait for a person as long as it takes', async () => {
    let agree: (yes: boolean) => void = () => {}
    const { host, ready, worker, faults, sent, started } = setUp({
      confirm: () =>
        new Promise((resolve) => {
          agree = resolve
        }),
    })
    ready('onPreAction')
    const answer = host.run('hook', 'onPreAction', {})
    const id = await started()
    worker({ type: 'call', call: 1, run: id, method: 'confirm', args: ['?'] })
    await vi.advanceTimersByTimeAsync(60_000)
    agree(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(sent.at(-1)).toEqual({ type: 'answer', call: 1, value: true })
    worker({ type: 'done', id, value: true })
    expect(await answer).toBe(true)
    expect(faults).toEqual([])
  })

  it('is refused what the page does not offer, and calls after its hook ended', async () => {
    const { host, ready, worker, sent, started } = setUp({ getRows: () => [1] })
    ready('onLoad')
    void host.run('hook', 'onLoad', {})
    const id = await started()
    for (const method of ['fetch', 'constructor', '__proto__', 'hasOwnProperty']) {
      worker({ type: 'call', call: 1, run: id, method, args: [] })
      await vi.advanceTimersByTimeAsync(0)
      expect(sent.at(-1)?.type).toBe('refusal')
    }
    worker({ type: 'done', id, value: null })
    worker({ type: 'call', call: 2, run: id, method: 'getRows', args: [] })
    await vi.advanceTimersByTimeAsync(0)
    expect(sent.at(-1)).toEqual({ type: 'refusal', call: 2, text: 'getRows: the hook has ended' })
  })

  it('has the press of its hook and no other, whatever the worker says', async () => {
    const presses: unknown[] = []
    const { host, ready, worker, sent, started } = setUp({
      callAction: (_, run) => {
        presses.push(run.press)
        return pressOf(run, 'callAction').writes
      },
    })
    ready('onLoad', 'onPreAction')
    const press = newPress()
    void host.run('hook', 'onLoad', {})
    const loading = await started()
    const said = async (message: object) => {
      worker({ type: 'call', call: 1, method: 'callAction', args: [], ...message } as never)
      await vi.advanceTimersByTimeAsync(0)
      return sent.at(-1)
    }
    expect(await said({ run: loading, press: { writes: 0 } })).toMatchObject({
      type: 'refusal',
      text: expect.stringMatching(/pressed/),
    })
    void host.run('hook', 'onPreAction', {}, press)
    const pressed = await started()
    expect(await said({ run: pressed })).toEqual({ type: 'answer', call: 1, value: 1 })
    expect(await said({ run: loading })).toMatchObject({ type: 'refusal' })
    worker({ type: 'done', id: pressed, value: true })
    expect(await said({ run: pressed })).toMatchObject({ type: 'refusal', text: expect.stringMatching(/has ended/) })
    expect(presses).toEqual([null, press, null])
  })

  it('that calls too often is ended', async () => {
    const { host, ready, worker, faults, started } = setUp({ getRows: () => [] })
    ready('onLoad')
    const answer = host.run('hook', 'onLoad', {})
    const id = await started()
    for (let call = 0; call <= LIMITS.calls; call++)
      worker({ type: 'call', call, run: id, method: 'getRows', args: [] })
    expect(await answer).toBeUndefined()
    expect(faults).toEqual([{ code: 'execution', detail: 'getRows: more than 100 calls' }])
  })

  it('that throws is reported and goes on with the next hook', async () => {
    const { host, ready, worker, faults, started } = setUp()
    ready('onLoad')
    const failed = host.run('hook', 'onLoad', {})
    worker({ type: 'thrown', id: await started(), detail: 'Error: no\n  luck' })
    expect(await failed).toBeUndefined()
    expect(faults).toEqual([{ code: 'execution', detail: 'Error: no luck' }])
    const next = host.run('hook', 'onLoad', {})
    worker({ type: 'done', id: await started(), value: 1 })
    expect(await next).toBe(1)
  })

  it.each([
    ['no text', { type: 'up' }],
    ['no JSON', '{'],
    ['an unknown message', '{"type":"boom"}'],
    ['a message without its parts', '{"type":"call","call":1}'],
    ['an unknown mode', '{"type":"ready","hooks":[],"apis":{"a":"all"}}'],
    ['a message that is too long', JSON.stringify({ type: 'done', id: 1, value: 'x'.repeat(LIMITS.message) })],
  ])('that says %s is ended', async (_, data) => {
    const { host, raw, faults, end } = setUp()
    raw(data)
    expect(end).toHaveBeenCalledOnce()
    expect(faults).toEqual([{ code: 'execution', detail: 'message' }])
    expect(await host.run('hook', 'onLoad', {})).toBeUndefined()
  })

  it('that the worker could not read is asked for once by the page, and read again', async () => {
    const fetch = vi.fn(async () => {})
    const { host, ready, worker, started, faults, end, sent } = setUp({}, fetch)
    const answer = host.run('hook', 'onLoad', {})
    worker({ type: 'up' })
    worker({ type: 'loading' })
    worker({ type: 'failed', code: 'scriptInvalid', detail: 'TypeError: Failed to fetch' })
    await vi.advanceTimersByTimeAsync(0)
    expect(fetch).toHaveBeenCalledExactlyOnceWith('/x.js')
    expect(end).toHaveBeenCalledOnce()
    ready('onLoad')
    worker({ type: 'done', id: await started(), value: 7 })
    expect(await answer).toBe(7)
    expect(sent.filter((one) => one.type === 'start')).toHaveLength(2)
    expect(faults).toEqual([])
  })

  it('that the worker can read no second time is wrong, in the words of the worker', async () => {
    const fetch = vi.fn(async () => {})
    const { worker, faults } = setUp({}, fetch)
    for (let i = 0; i < 2; i++) {
      worker({ type: 'failed', code: 'scriptInvalid', detail: 'SyntaxError: no' })
      await vi.advanceTimersByTimeAsync(0)
    }
    expect(fetch).toHaveBeenCalledOnce()
    expect(faults).toEqual([{ code: 'scriptInvalid', detail: 'SyntaxError: no' }])
  })

  it('that the server refuses is told in its words, and asks nothing that is not a fault of reading', async () => {
    const refused = vi.fn(() => Promise.reject(new Error('没有权限')))
    const one = setUp({}, refused)
    one.worker({ type: 'failed', code: 'scriptInvalid', detail: 'TypeError' })
    await vi.advanceTimersByTimeAsync(0)
    expect(one.faults).toEqual([{ code: 'scriptInvalid', detail: '没有权限' }])
    const other = setUp({}, refused)
    other.worker({ type: 'failed', code: 'firstVersion', detail: '' })
    await vi.advanceTimersByTimeAsync(0)
    expect(other.faults).toEqual([{ code: 'firstVersion', detail: '' }])
    expect(refused).toHaveBeenCalledOnce()
  })

  it('whose worker fails is reported once', async () => {
    const { fail, faults } = setUp()
    fail()
    fail()
    expect(faults).toEqual([{ code: 'scriptInvalid', detail: '' }])
  })
})
