import { vi } from 'vitest'

export interface Call {
  path: string
  body: unknown
  search: URLSearchParams
  key: string | null // of what is sent once
}

type Answer = unknown | ((call: Call) => unknown)

/** Answers of the contract by path, over HTTP as the client sees it; a refusal is thrown by `refuse`. */
export function fakeServer(answers: Record<string, Answer>) {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
    const url = new URL(input, 'http://test')
    const call = {
      path: url.pathname,
      search: url.searchParams,
      body: init.body ? JSON.parse(String(init.body)) : undefined,
      key: new Headers(init.headers).get('Idempotency-Key'),
    }
    calls.push(call)
    const answer = answers[url.pathname]
    try {
      if (answer === undefined) throw new Refusal(404, 100003, `no answer for ${url.pathname}`, null)
      const data = await (typeof answer === 'function' ? answer(call) : answer)
      return Response.json({ errcode: 0, errmsg: '', data })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const headers = { 'X-Request-Id': 'req-1' }
      return Response.json(
        { errcode: error.errcode, errmsg: error.message, data: error.data },
        { status: error.status, headers },
      )
    }
  })
  return { calls, of: (path: string) => calls.filter((call) => call.path === path) }
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly errcode: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message)
  }
}

export function refuse(status: number, errcode: number, message: string, data: unknown = null): never {
  throw new Refusal(status, errcode, message, data)
}
