import { ERROR } from '@/api/errors.gen'
import { takeEarly } from './early'
import type { paths } from './schema.gen'
import { endSeeAs, seeAs } from './see-as'

type Method = 'get' | 'post' | 'put' | 'delete'
type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never
}[keyof paths]
type Operation<P extends keyof paths, M extends Method> = paths[P][M]
type Answer<O> = O extends { responses: { 200: { content: { 'application/json': infer E } } } }
  ? E extends { data?: infer D }
    ? NonNullable<D>
    : unknown
  : unknown
type Query<O> = O extends { parameters: { query: infer Q } }
  ? Q
  : O extends { parameters: { query?: infer Q } }
    ? Q | undefined
    : undefined
type Body<O> = O extends { requestBody: { content: { 'application/json': infer B } } } ? B : undefined

/** What a path of the contract answers in `data`. */
export type DataOf<P extends keyof paths, M extends Method> = Answer<Operation<P, M>>

/** A refusal of the server, or of the way to it. `code` is the errcode; 0 represents "no answer". */
export class ApiError extends Error {
  readonly code: number
  readonly status: number
  readonly requestId: string | null
  readonly data: unknown

  constructor(message: string, at: { code: number; status: number; requestId?: string | null; data?: unknown }) {
    super(message)
    this.name = 'ApiError'
    this.code = at.code
    this.status = at.status
    this.requestId = at.requestId ?? null
    this.data = at.data ?? null
  }
}

/** Our own code for an answer that says that all is well and holds nothing where there must be something. */
export const NO_DATA = 999998

interface CallOptions {
  signal?: AbortSignal
  headers?: Record<string, string>
}

interface Hooks {
  /** The session that a call is sent in. */
  session: () => number | undefined
  /** Gets a fresh token where `session` is still the one that holds; false when it is over. Throws when nobody could say. */
  refresh: (session: number | undefined) => Promise<boolean>
  /** The session is over: the shell asks for the password. */
  expired: () => void
  locale: () => string
}

const hooks: Hooks = { session: () => undefined, refresh: async () => false, expired: () => {}, locale: () => 'zh' }

/** The session wires itself in here; the client itself holds no state. */
export function configureClient(next: Partial<Hooks>) {
  Object.assign(hooks, next)
}

export function address(path: string, query?: Record<string, unknown>): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(key, String(one))
  }
  const text = search.toString()
  return text ? `${path}?${text}` : path
}

async function open(response: Response): Promise<unknown> {
  const requestId = response.headers.get('X-Request-Id')
  const at = { status: response.status, requestId }
  const body = (await response.json().catch(() => null)) as { errcode: number; errmsg: string; data: unknown } | null
  if (!body || typeof body.errcode !== 'number') {
    throw new ApiError(`HTTP ${response.status}`, { ...at, code: ERROR.Internal })
  }
  if (body.errcode === ERROR.SeeAsEnded && seeAs()) endSeeAs()
  if (body.errcode !== 0) throw new ApiError(body.errmsg, { ...at, code: body.errcode, data: body.data })
  return body.data
}

/** What every call says of itself. */
export const ownHeaders = (): Record<string, string> => ({
  Accept: 'application/json',
  'Accept-Language': hooks.locale(),
  'X-Requested-With': 'XMLHttpRequest',
  ...(seeAs() && { 'X-See-As': seeAs()?.pass }),
})

async function send(method: Method, url: string, body: unknown, options: CallOptions): Promise<Response> {
  try {
    const early = method === 'get' && !options.headers ? takeEarly(url, hooks.locale()) : undefined
    if (early) return await early
    return await fetch(url, {
      method: method.toUpperCase(),
      credentials: 'same-origin',
      signal: options.signal ?? null,
      headers: {
        ...ownHeaders(),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError('', { code: 0, status: 0 })
  }
}

const unguarded = (url: string) => url.includes('/login/')

async function guarded(url: string, ask: () => Promise<Response>): Promise<Response> {
  let session = hooks.session()
  let response = await ask()
  if (response.status === 401 && !unguarded(url)) {
    if (await hooks.refresh(session)) {
      session = hooks.session()
      response = await ask()
    }
    // Somebody may have signed in since: the late answer of an older session does not end the new one.
    if (response.status === 401 && session === hooks.session()) hooks.expired()
  }
  return response
}

/** Asks, once more with a fresh session where the old one is over, and opens the envelope. */
export async function exchange(url: string, ask: () => Promise<Response>): Promise<unknown> {
  return open(await guarded(url, ask))
}

const call = (method: Method, url: string, body: unknown, options: CallOptions) =>
  exchange(url, () => send(method, url, body, options))

/** Fetches a file that the browser keeps, so that the person who asks for it next has it at once, with a fresh session. */
export async function warm(url: string): Promise<void> {
  const response = await guarded(url, () => send('get', url, undefined, {}))
  if (response.ok) await response.arrayBuffer()
  else await open(response)
}

/** Fetches a file with a fresh session; a refusal is that of every other call. `body`: it is asked for by POST. */
export async function fetchResponse(url: string, body?: unknown): Promise<Response> {
  const response = await guarded(url, () => send(body === undefined ? 'get' : 'post', url, body, {}))
  if (!response.ok || response.headers.get('Content-Type')?.startsWith('application/json')) await open(response)
  return response
}

/** GET of a path of the contract; opens the envelope and throws ApiError. */
export async function get<P extends PathsWith<'get'>>(
  path: P,
  query?: Query<Operation<P, 'get'>>,
  options: CallOptions = {},
): Promise<DataOf<P, 'get'>> {
  return (await call('get', address(path, query as Record<string, unknown>), undefined, options)) as DataOf<P, 'get'>
}

/** POST of a path of the contract. */
export async function post<P extends PathsWith<'post'>>(
  path: P,
  body?: Body<Operation<P, 'post'>>,
  options: CallOptions = {},
): Promise<DataOf<P, 'post'>> {
  return (await call('post', path, body, options)) as DataOf<P, 'post'>
}

/** PUT of a path of the contract. */
export async function put<P extends PathsWith<'put'>>(
  path: P,
  body?: Body<Operation<P, 'put'>>,
  options: CallOptions = {},
): Promise<DataOf<P, 'put'>> {
  return (await call('put', path, body, options)) as DataOf<P, 'put'>
}

/** DELETE with a body; the calls of packs have it. */
export const remove = (path: string, body?: unknown): Promise<unknown> => call('delete', path, body, {})

/** A path of the contract with its parameters filled in. */
function filled(path: string, at: Record<string, string>) {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(at[name] ?? ''))
}

/** PUT of a path that names what it changes. */
export async function putAt<P extends PathsWith<'put'>>(
  path: P,
  at: Record<string, string>,
  body: Body<Operation<P, 'put'>>,
): Promise<DataOf<P, 'put'>> {
  return (await call('put', filled(path, at), body, {})) as DataOf<P, 'put'>
}

/** GET of a path that names what it reads. */
export async function getAt<P extends PathsWith<'get'>>(
  path: P,
  at: Record<string, string>,
  options: CallOptions = {},
): Promise<DataOf<P, 'get'>> {
  return (await call('get', filled(path, at), undefined, options)) as DataOf<P, 'get'>
}

/** DELETE of a path that names what it removes. */
export async function deleteAt<P extends PathsWith<'delete'>>(path: P, at: Record<string, string>): Promise<void> {
  await call('delete', filled(path, at), undefined, {})
}
