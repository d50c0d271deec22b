import { scriptError } from './faults'
import type { ApiMode, PageKind } from './protocol'

/** The hooks that a page knows, in the order in which they run. */
export const HOOKS: Record<PageKind, readonly string[]> = {
  list: ['onPreLoad', 'onLoad', 'onRendered', 'onPreAction', 'onActionDone'],
  form: ['onLoad', 'onRendered', 'onValidate', 'onPreAction', 'onActionDone', 'onCustomAction'],
  portal: ['onPageEnter'],
}

/** A page of a portal names functions of its own: what runs when it is entered, and when it is left. */
const isHook = (kind: PageKind, name: string) =>
  HOOKS[kind].includes(name) || (kind === 'portal' && /^[a-zA-Z_$][\w$]{0,62}$/.test(name))

/** The calls of a page that a script may add to or replace. */
export const APIS: Record<PageKind, readonly string[]> = { list: ['getQueryList'], form: [], portal: [] }

type Fn = (...args: unknown[]) => unknown

export interface Definition {
  hooks: Map<string, Fn>
  apis: Map<string, { request: Fn; mode: ApiMode }>
}

const isFunction = (value: unknown): value is Fn => typeof value === 'function'
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Reads a script's default export; `sluice check` made the same checks on its text. Throws script faults. */
export function readDefinition(exported: unknown, kind: PageKind): Definition {
  if (isFunction(exported)) throw scriptError('firstVersion')
  if (!isObject(exported)) throw scriptError('scriptInvalid')
  const { options, hooks, apis } = exported
  const version = isObject(options) ? options.version : undefined
  if (version !== '1.0' && version !== '1.1') throw scriptError('versionNotFound')
  if (isFunction(hooks)) throw scriptError('firstVersion')
  if (!isObject(hooks)) throw scriptError('hookNotFound')
  const found: Definition = { hooks: new Map(), apis: new Map() }
  for (const [name, hook] of Object.entries(hooks)) {
    if (!isHook(kind, name) || !isFunction(hook)) throw scriptError('hookNotFound', name)
    found.hooks.set(name, hook)
  }
  if (version === '1.0' || apis === undefined) return found
  if (!isObject(apis)) throw scriptError('apiRequest')
  for (const [name, api] of Object.entries(apis)) {
    if (!APIS[kind].includes(name)) throw scriptError('apiRequest', name)
    found.apis.set(name, readApi(name, api))
  }
  return found
}

function readApi(name: string, api: unknown): { request: Fn; mode: ApiMode } {
  if (isFunction(api)) return { request: api, mode: 'combine' }
  if (!isObject(api) || !isFunction(api.request)) throw scriptError('apiRequest', name)
  const mode = api.mode ?? 'combine'
  if (mode !== 'combine' && mode !== 'replace') throw scriptError('mode', String(mode))
  return { request: api.request, mode }
}
