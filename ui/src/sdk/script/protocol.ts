import { type Fault, isFaultCode } from './faults'

/** Bounds of what a script may do to its page. */
export const LIMITS = {
  /** Characters of a message from the worker. */
  message: 1_000_000,
  /** Milliseconds without an answer, after which a script is ended. */
  silence: 2000,
  /** Milliseconds for the worker's own file to arrive, and for the script's. */
  arrival: 15_000,
  /** Calls of the page by one run of a hook. */
  calls: 100,
  /** Characters of a text shown to people. */
  text: 200,
} as const

export type ApiMode = 'combine' | 'replace'
export type RunKind = 'hook' | 'api'
export type PageKind = 'list' | 'form' | 'portal'

/** Messages from the page to the worker. */
export type ToWorker =
  | { type: 'start'; kind: PageKind; url: string; locale: string; methods: readonly string[] }
  | { type: 'run'; id: number; what: RunKind; name: string; payload: unknown }
  | { type: 'answer'; call: number; value: unknown }
  | { type: 'refusal'; call: number; text: string }

/** What the worker tells the page. The worker runs foreign code: everything is checked before it is used. */
export type FromWorker =
  | { type: 'up' }
  | { type: 'loading' }
  | { type: 'ready'; hooks: string[]; apis: Record<string, ApiMode> }
  | ({ type: 'failed' } & Fault)
  | { type: 'call'; call: number; run: number; method: string; args: unknown[] }
  | { type: 'done'; id: number; value: unknown }
  | { type: 'thrown'; id: number; detail: string }

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses JSON; keys that reach prototypes are dropped. */
export function parsePlain(text: string): unknown {
  return JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value))
}

const natural = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const texts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= 50 && value.every((one) => typeof one === 'string' && one.length <= 100)

/** Reads a message of the worker; null when it is none of ours. */
export function readMessage(data: unknown): FromWorker | null {
  if (typeof data !== 'string' || data.length > LIMITS.message) return null
  let message: unknown
  try {
    message = parsePlain(data)
  } catch {
    return null
  }
  if (!isPlainObject(message)) return null
  const { type, id, call, run, method, args, value, detail, code, hooks, apis } = message
  switch (type) {
    case 'up':
    case 'loading':
      return { type }
    case 'ready':
      if (!texts(hooks) || !isPlainObject(apis) || Object.keys(apis).length > 50) return null
      if (!Object.values(apis).every((mode) => mode === 'combine' || mode === 'replace')) return null
      return { type, hooks, apis: apis as Record<string, ApiMode> }
    case 'failed':
      if (!isFaultCode(code) || typeof detail !== 'string') return null
      return { type, code, detail: shorten(detail) }
    case 'call':
      if (!natural(call) || !natural(run) || typeof method !== 'string' || !Array.isArray(args)) return null
      return { type, call, run, method, args }
    case 'done':
      return natural(id) ? { type, id, value } : null
    case 'thrown':
      return natural(id) && typeof detail === 'string' ? { type, id, detail: shorten(detail) } : null
    default:
      return null
  }
}

/** A text as people see it: one line, not too long. */
export function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LIMITS.text ? `${line.slice(0, LIMITS.text - 1)}…` : line
}
