import { vi } from 'vitest'
import { readDefinition } from '@/sdk/script/definition'
import { faultOf } from '@/sdk/script/faults'
import type { FromWorker, PageKind, ToWorker } from '@/sdk/script/protocol'

type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void }

/**
 * Runs the script of a page without a worker of its own: what it exports is given here, in place of its address. It is as
 * script-worker.ts is, but for what that takes from a script.
 */
export function fakeWorker(exported: unknown) {
  class FakeWorker {
    onmessage: (event: { data: string }) => void = () => {}
    private readonly waiting = new Map<number, Waiting>()
    private calls = 0
    private definition: ReturnType<typeof readDefinition> | null = null
    private methods: readonly string[] = []
    private locale = 'zh'

    constructor() {
      queueMicrotask(() => this.say({ type: 'up' }))
    }

    terminate() {}

    postMessage(text: string) {
      const message = JSON.parse(text) as ToWorker
      if (message.type === 'start') this.start(message)
      else if (message.type === 'run') void this.run(message)
      else if (message.type === 'answer') this.waiting.get(message.call)?.resolve(message.value)
      else this.waiting.get(message.call)?.reject(new Error(message.text))
    }

    private say(message: FromWorker) {
      this.onmessage({ data: JSON.stringify(message) })
    }

    private start({ kind, locale, methods }: { kind: PageKind; locale: string; methods: readonly string[] }) {
      this.locale = locale
      this.methods = methods
      this.say({ type: 'loading' })
      try {
        this.definition = readDefinition(exported, kind)
      } catch (error) {
        this.say({ type: 'failed', ...(faultOf(error) ?? { code: 'scriptInvalid', detail: String(error) }) })
        return
      }
      const { hooks, apis } = this.definition
      const modes = Object.fromEntries([...apis].map(([name, { mode }]) => [name, mode]))
      this.say({ type: 'ready', hooks: [...hooks.keys()], apis: modes })
    }

    private page(run: number) {
      const of =
        (method: string) =>
        (...args: unknown[]) =>
          new Promise((resolve, reject) => {
            this.calls += 1
            this.waiting.set(this.calls, { resolve, reject })
            this.say({ type: 'call', call: this.calls, run, method, args })
          })
      const i18n = (texts: Record<string, string>) => texts[this.locale] ?? texts.zh
      const own = Object.fromEntries(this.methods.map((method) => [method, of(method)]))
      return { ...own, i18n, http: { get: of('httpGet'), post: of('httpPost') } }
    }

    private async run({ id, what, name, payload }: Extract<ToWorker, { type: 'run' }>) {
      const page = this.page(id)
      try {
        const value =
          what === 'hook'
            ? await this.definition?.hooks.get(name)?.(payload, page)
            : await this.definition?.apis.get(name)?.request(page, page.http, payload)
        this.say({ type: 'done', id, value })
      } catch (error) {
        this.say({ type: 'thrown', id, detail: String(error) })
      }
    }
  }
  vi.stubGlobal('Worker', FakeWorker)
}
