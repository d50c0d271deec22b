import { get, post } from '@/api/client'
import { scriptError } from './faults'
import type { Methods, RunInfo } from './host'
import { pressOf } from './press'
import { isPlainObject } from './protocol'

const PATH = /^\/api(\/[A-Za-z0-9_-]+)+$/
const READ = ['/api/runtime/', '/api/app/']
const QUERIES = ['/api/runtime/query/list', '/api/runtime/query/add_check', '/api/runtime/track/detail']
/** Writes happen when a person pressed a button, and never by themselves. */
const WRITES = ['/api/runtime/form/save']

/** Which calls a script may make; all others are refused before they are sent. */
export function allowed(method: 'GET' | 'POST', path: unknown, run: RunInfo): path is string {
  if (typeof path !== 'string' || !PATH.test(path)) return false
  if (method === 'GET') return READ.some((start) => path.startsWith(start))
  return QUERIES.includes(path) || (WRITES.includes(path) && run.press !== null)
}

const refused = (path: unknown) => scriptError('execution', `http: ${String(path).slice(0, 100)} is not allowed`)

/** The calls of `http`, made by the page: the script never sees a token. */
export const httpMethods: Methods = {
  httpGet: ([path, query], run) => {
    if (!allowed('GET', path, run)) throw refused(path)
    const values = isPlainObject(query) ? query : {}
    return get(path as never, values as never)
  },
  httpPost: ([path, body], run) => {
    if (!allowed('POST', path, run)) throw refused(path)
    if (WRITES.includes(path)) pressOf(run, 'http.post')
    return post(path as never, (body ?? {}) as never)
  },
}
