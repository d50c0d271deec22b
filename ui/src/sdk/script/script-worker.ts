/**
 * The worker that runs one script. The server sends it with a policy of its own, `default-src 'none'; script-src 'self'`, so
 * neither requests nor generated code are possible; the globals that would ask for them are taken away as well. Its file name
 * is known to runtime/httpapi/static.go.
 */
import { type Definition, readDefinition } from './definition'
import { type Fault, faultOf, scriptError } from './faults'
import { type FromWorker, isPlainObject, LIMITS, type PageKind, type ToWorker } from './protocol'
import { forbidGeneratedCode, lockDown } from './sandbox'

interface Scope {
  postMessage: (message: string) => void
  addEventListener: (type: 'message', listener: (event: { data: unknown }) => void) => void
}

const scope = globalThis as unknown as Scope
const post = scope.postMessage.bind(scope)
const { parse, stringify } = JSON
const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
let definition: Definition | null = null
let page: (run: number) => Readonly<Record<string, unknown>> = () => ({})
let config: Record<string, unknown> = {}
let calls = 0

/** Sends plain data; false when it is more than a message may hold. */
function send(message: FromWorker): boolean {
  const text = stringify(message)
  if (text.length > LIMITS.message) return false
  post(text)
  return true
}

function words(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  } catch {
    return ''
  }
}

function call(run: number, method: string, args: unknown[]): Promise<unknown> {
  calls += 1
  const id = calls
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    let sent = false
    try {
      sent = send({ type: 'call', call: id, run, method, args })
    } catch (error) {
      waiting.delete(id)
      reject(error instanceof Error ? error : new Error('not plain data'))
      return
    }
    if (sent) return
    waiting.delete(id)
    reject(scriptError('execution', `more than ${LIMITS.message} characters`))
  })
}

/** The page as a script sees it: frozen, and created for each run, to which its calls belong. */
function pageMaker(methods: readonly string[], locale: string) {
  const i18n = (texts: unknown) => {
    const { zh, [locale]: own } = (isPlainObject(texts) ? texts : {}) as Record<string, unknown>
    return String(own ?? zh ?? '')
  }
  return (run: number) => {
    const of = (method: string) => Object.freeze((...args: unknown[]) => call(run, method, args))
    const http = Object.freeze({ get: of('httpGet'), post: of('httpPost') })
    const own = Object.fromEntries(methods.map((method) => [method, of(method)]))
    return Object.freeze({ ...own, locale, i18n: Object.freeze(i18n), http })
  }
}

async function start(url: string, kind: PageKind, locale: string, methods: readonly string[]) {
  page = pageMaker(methods, locale)
  config = { locale }
  forbidGeneratedCode()
  lockDown(globalThis)
  send({ type: 'loading' })
  let fault: Fault
  try {
    const module = (await import(/* @vite-ignore */ url)) as { default?: unknown }
    definition = readDefinition(module.default, kind)
    const apis = Object.fromEntries([...definition.apis].map(([name, { mode }]) => [name, mode]))
    send({ type: 'ready', hooks: [...definition.hooks.keys()], apis })
    return
  } catch (error) {
    fault = faultOf(error) ?? { code: 'scriptInvalid', detail: words(error) }
  }
  send({ type: 'failed', ...fault })
}

async function run({ id, what, name, payload }: Extract<ToWorker, { type: 'run' }>) {
  let value: unknown
  try {
    const own = page(id) as { http?: unknown }
    if (what === 'hook') value = await definition?.hooks.get(name)?.(payload, own)
    else
      value = await definition?.apis
        .get(name)
        ?.request(own, own.http, Object.freeze({ ...config, ...(payload as object) }))
    if (!send({ type: 'done', id, value })) throw new RangeError(`more than ${LIMITS.message} characters`)
  } catch (error) {
    send({ type: 'thrown', id, detail: words(error).slice(0, 2 * LIMITS.text) })
  }
}

scope.addEventListener('message', ({ data }) => {
  const message = parse(data as string) as ToWorker
  switch (message.type) {
    case 'start':
      void start(message.url, message.kind, message.locale, message.methods)
      break
    case 'run':
      void run(message)
      break
    case 'answer':
      waiting.get(message.call)?.resolve(message.value)
      waiting.delete(message.call)
      break
    case 'refusal':
      waiting.get(message.call)?.reject(new Error(message.text))
      waiting.delete(message.call)
      break
  }
})

send({ type: 'up' })
