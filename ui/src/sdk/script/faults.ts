/** What can be wrong with a script, by the words of the specification. The first version's marker is never shown. */
export const WORDS = {
  hookNotFound: 'hook not found',
  actionRequired: 'action required',
  scriptInvalid: 'script string invalid',
  versionNotFound: 'version not found',
  apiRequest: 'api.request should be a function',
  mode: 'mode is not allowed',
  execution: 'execution error',
  result: 'execution error',
  silent: 'execution error',
  firstVersion: 'incompatible first version',
} as const

export type FaultCode = keyof typeof WORDS

export const isFaultCode = (value: unknown): value is FaultCode =>
  typeof value === 'string' && Object.hasOwn(WORDS, value)

export const PREFIX = 'ListEventHooksHandler Error: '

/** How long a fault stays on the screen, in seconds. */
export const SHOWN = 5

export interface Fault {
  code: FaultCode
  /** Plain text: the name of a hook, or what the script itself said. */
  detail: string
}

/** A fault on its way up. Its message is what authors see in the worker. */
export function scriptError(code: FaultCode, detail = ''): Error & { fault: Fault } {
  return Object.assign(new Error(`${PREFIX}${WORDS[code]}${detail && `: ${detail}`}`), { fault: { code, detail } })
}

export const faultOf = (error: unknown): Fault | null =>
  error instanceof Error && 'fault' in error ? (error as { fault: Fault }).fault : null
