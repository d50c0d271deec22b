import { type Fault, type FaultCode, faultOf, scriptError } from './faults'
import type { Press } from './press'
import {
  type ApiMode,
  type FromWorker,
  LIMITS,
  type PageKind,
  type RunKind,
  readMessage,
  shorten,
  type ToWorker,
} from './protocol'

/** The run that a call comes from. */
export interface RunInfo {
  what: RunKind
  name: string
  /** The person's press that it is about; null for what runs by itself. Only the page makes one, and the worker cannot name one. */
  press: Press | null
}

/** What a script may ask of its page. Arguments are untrusted plain data; what is returned must be plain data. */
export type Methods = Record<string, (args: unknown[], run: RunInfo) => unknown>

/** A worker, or its substitute in tests. */
export interface Port {
  post: (text: string) => void
  listen: (message: (data: unknown) => void, failed: () => void) => void
  end: () => void
}

export interface HostOptions {
  kind: PageKind
  url: string
  locale: string
  methods: Methods
  open: () => Port
  /** Asks for the file as the page does, with a fresh session: called once, where the worker could not read the script. */
  fetch?: (url: string) => Promise<unknown>
  /** Shows what is wrong. Called at most once a fault. */
  report: (fault: Fault) => void
}

export interface ScriptHost {
  /** How an api of the script works with the page's own call; null when the script has none of that name. */
  mode: (api: string) => Promise<ApiMode | null>
  /** Runs a hook or an api. Undefined when there is none, and when it failed: that was reported. */
  run: (what: RunKind, name: string, payload: unknown, press?: Press | null) => Promise<unknown>
  stop: () => void
}

interface Run extends RunInfo {
  calls: number
  open: number
  stopClock: () => void
  settle: (value: unknown) => void
}

interface Ready {
  hooks: ReadonlySet<string>
  apis: Record<string, ApiMode>
}

const none: Ready = { hooks: new Set(), apis: {} }

/** Milliseconds between two looks at a running clock. */
const TICK = 100

/**
 * Calls `passed` once, after `ms` milliseconds in which the page itself was running: a late tick counts as one tick, so that a
 * busy machine, which starves the worker as well as the page, ends no script. Returns what stops the clock.
 */
function startClock(ms: number, passed: () => void) {
  let left = Math.ceil(ms / TICK)
  const timer = setInterval(() => {
    left -= 1
    if (left > 0) return
    clearInterval(timer)
    passed()
  }, TICK)
  return () => clearInterval(timer)
}

/** Runs one script in one worker. A script that says nothing for two seconds is ended, for good. */
export function startScript({ kind, url, locale, methods, open, fetch, report }: HostOptions): ScriptHost {
  let port = open()
  const runs = new Map<number, Run>()
  let last = 0
  let strays = 0
  let ended = false
  let asked = false
  let stopClock = () => {}
  let ready: (is: Ready) => void = () => {}
  const started = new Promise<Ready>((resolve) => {
    ready = resolve
  })
  const tell = (message: ToWorker) => port.post(JSON.stringify(message))

  function stop() {
    ended = true
    stopClock()
    port.end()
    ready(none)
    for (const run of runs.values()) {
      run.stopClock()
      run.settle(undefined)
    }
    runs.clear()
  }
  function fail(code: FaultCode, detail = '') {
    if (ended) return
    stop()
    report({ code, detail })
  }
  /** The worker alone reads the script. Where it could not, the server is asked why: a session that had ended is fresh after that. */
  async function askWhy(fault: Fault) {
    if (asked || !fetch || fault.code !== 'scriptInvalid') return fail(fault.code, fault.detail)
    asked = true
    stopClock()
    port.end()
    try {
      await fetch(url)
    } catch (error) {
      return fail('scriptInvalid', error instanceof Error ? shorten(error.message) : '')
    }
    if (ended) return
    port = open()
    begin()
  }
  function wait(run: Run) {
    run.stopClock()
    if (run.open === 0) run.stopClock = startClock(LIMITS.silence, () => fail('silent', run.name))
  }
  function finish(id: number, value: unknown) {
    const run = runs.get(id)
    if (!run) return
    run.stopClock()
    runs.delete(id)
    run.settle(value)
  }
  async function answer({ call, run: id, method, args }: Extract<FromWorker, { type: 'call' }>) {
    const run = runs.get(id)
    const count = run ? ++run.calls : ++strays
    if (count > LIMITS.calls) return fail('execution', `${method}: more than ${LIMITS.calls} calls`)
    if (!run) return tell({ type: 'refusal', call, text: `${method}: the hook has ended` })
    run.open += 1
    wait(run)
    try {
      const handler = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (!handler) throw scriptError('execution', method)
      const value = (await handler(args, run)) ?? null
      if (!ended) tell({ type: 'answer', call, value })
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      if (!ended) tell({ type: 'refusal', call, text: faultOf(error) ? text : shorten(text) })
    }
    run.open -= 1
    if (runs.has(id)) wait(run)
  }
  function heard(message: FromWorker) {
    switch (message.type) {
      case 'up':
        tell({
          type: 'start',
          kind,
          url,
          locale,
          methods: Object.keys(methods).filter((name) => !/^http[A-Z]/.test(name)),
        })
        break
      case 'loading':
        stopClock()
        stopClock = startClock(LIMITS.silence, () => fail('silent', ''))
        break
      case 'ready':
        stopClock()
        ready({ hooks: new Set(message.hooks), apis: message.apis })
        break
      case 'failed':
        void askWhy({ code: message.code, detail: message.detail })
        break
      case 'call':
        void answer(message)
        break
      case 'done':
        finish(message.id, message.value)
        break
      case 'thrown':
        if (runs.has(message.id)) report({ code: 'execution', detail: message.detail })
        finish(message.id, undefined)
        break
    }
  }

  function begin() {
    const own = port
    stopClock = startClock(LIMITS.arrival, () => fail('silent', ''))
    own.listen(
      (data) => {
        if (ended || own !== port) return
        const message = readMessage(data)
        if (message) heard(message)
        else fail('execution', 'message')
      },
      () => own === port && fail('scriptInvalid'),
    )
  }
  begin()

  return {
    mode: async (api) => (await started).apis[api] ?? null,
    run: async (what, name, payload, press = null) => {
      const { hooks, apis } = await started
      if (ended || !(what === 'hook' ? hooks.has(name) : Object.hasOwn(apis, name))) return undefined
      last += 1
      const id = last
      return new Promise((settle) => {
        const run: Run = { what, name, press, calls: 0, open: 0, stopClock: () => {}, settle }
        runs.set(id, run)
        tell({ type: 'run', id, what, name, payload })
        wait(run)
      })
    },
    stop,
  }
}

/** A real worker; what it says before anybody listens is kept. */
function newWorker(): Port {
  const worker = new Worker(new URL('./script-worker.ts', import.meta.url), { type: 'module' })
  const kept: unknown[] = []
  let broken = false
  let hear = (data: unknown) => {
    kept.push(data)
  }
  let fail = () => {
    broken = true
  }
  worker.onmessage = ({ data }) => hear(data)
  worker.onerror = (event) => {
    event.preventDefault()
    fail()
  }
  worker.onmessageerror = () => fail()
  return {
    post: (text) => worker.postMessage(text),
    listen: (message, failed) => {
      hear = message
      fail = failed
      for (const data of kept) message(data)
      if (broken) failed()
    },
    end: () => worker.terminate(),
  }
}

/** A page that does not come after all leaves no worker behind. */
const SPARE = 10_000
let spare: { port: Port; timer: ReturnType<typeof setTimeout> } | null = null

/** Starts a worker for the script that a page will ask for, while the page itself is still being read. */
export function spareWorker() {
  if (spare) return
  const timer = setTimeout(() => openWorker().end(), SPARE)
  spare = { port: newWorker(), timer }
}

export function openWorker(): Port {
  const port = spare?.port ?? newWorker()
  clearTimeout(spare?.timer)
  spare = null
  return port
}
