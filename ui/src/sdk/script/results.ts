import type { QueryFilter, RequestChange, RowMark, Tone } from '../../../../docs/sluice-script'
import { scriptError } from './faults'
import { isPlainObject, LIMITS, type PageKind } from './protocol'
import { text } from './read-text'

const MAX_ROWS = 500
const MAX_CELLS = 100
const TONES: readonly string[] = ['success', 'warning', 'error', 'info', 'muted']
const CLASS = /^(?!(ag|ant|anticon|css)(-|$))[a-z][a-z0-9-]{0,39}$/i
const CODE = /^[A-Za-z][\w.]{0,199}$/

const wrong = (what: string): never => {
  throw scriptError('result', what)
}

function object(value: unknown, keys: readonly string[], what: string): Record<string, unknown> {
  if (!isPlainObject(value)) return wrong(what)
  const extra = Object.keys(value).find((key) => !keys.includes(key))
  return extra === undefined ? value : wrong(`${what}.${extra}`)
}

function list(value: unknown, most: number, what: string): unknown[] {
  return Array.isArray(value) && value.length <= most ? value : wrong(what)
}

const optional = <T>(value: unknown, read: (value: unknown) => T): T | undefined =>
  value === undefined || value === null ? undefined : read(value)

/** Leaves out what is undefined. */
function compact<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T
}

const FILTER = ['propertyCode', 'propertyType', 'propertyValue', 'propertyValueName', 'queryFilterType', 'and', 'or']

/** The server checks codes, operators and values; here only the shape and the size count. */
function filter(value: unknown, depth = 0): QueryFilter {
  const read = object(value, FILTER, 'filters')
  if (depth > 4) return wrong('filters')
  for (const [key, one] of Object.entries(read)) {
    if (key === 'and' || key === 'or') for (const inner of list(one, 50, key)) filter(inner, depth + 1)
    else if (Array.isArray(one)) for (const part of list(one, 500, key)) scalar(part, key)
    else scalar(one, key)
  }
  return read as QueryFilter
}

function scalar(value: unknown, what: string) {
  if (typeof value === 'string') text(value, 2000, what)
  else if (value !== null && typeof value !== 'number' && typeof value !== 'boolean') wrong(what)
}

export function readRequestChange(value: unknown): RequestChange | null {
  if (value === undefined || value === null) return null
  const { filters, orderByFields, orderType } = object(value, ['filters', 'orderByFields', 'orderType'], 'onPreLoad')
  return compact<RequestChange>({
    filters: optional(filters, (all) => list(all, 50, 'filters').map((one) => filter(one))),
    orderByFields: optional(orderByFields, (all) => list(all, 10, 'orderByFields').map((one) => code(one))),
    orderType: optional(orderType, (one) => (one === 1 || one === 2 ? one : wrong('orderType'))),
  })
}

const code = (value: unknown) => (typeof value === 'string' && CODE.test(value) ? value : wrong('propertyCode'))
const tone = (value: unknown) => (TONES.includes(value as string) ? (value as Tone) : wrong('tone'))
const words = (what: string) => (value: unknown) => text(value, LIMITS.text, what)

function className(value: unknown): string {
  const names = text(value, 130, 'className').split(' ').filter(Boolean)
  return names.length <= 3 && names.every((name) => CLASS.test(name)) ? names.join(' ') : wrong('className')
}

function cells(value: unknown): NonNullable<RowMark['cells']> {
  if (!isPlainObject(value) || Object.keys(value).length > MAX_CELLS) return wrong('cells')
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const read = object(one, ['text', 'tone', 'hint', 'className'], 'cells')
      const mark = {
        text: optional(read.text, words('text')),
        tone: optional(read.tone, tone),
        hint: optional(read.hint, words('hint')),
        className: optional(read.className, className),
      }
      return [code(key), compact<NonNullable<RowMark['cells']>[string]>(mark)]
    }),
  )
}

/** What onLoad says about rows, by id. */
export function readRowMarks(value: unknown): Map<string, RowMark> {
  if (value === undefined || value === null) return new Map()
  const { rows } = object(value, ['rows'], 'onLoad')
  return new Map(
    list(rows ?? [], MAX_ROWS, 'rows').map((one) => {
      const read = object(one, ['id', 'tone', 'className', 'cells'], 'rows')
      const id = text(read.id, 100, 'id')
      const mark = {
        id,
        tone: optional(read.tone, tone),
        className: optional(read.className, className),
        cells: optional(read.cells, cells),
      }
      return [id, compact<RowMark>(mark)]
    }),
  )
}

export interface ExtraPage {
  rows: { id: string; texts: Record<string, string> }[]
  total: number | null
}

/** A value as a text: a figure, words, the name of a person or record, or several of them. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return value.slice(0, 20).map(shown).filter(Boolean).join('、')
  if (isPlainObject(value)) return typeof value.name === 'string' ? value.name : ''
  return value === null || value === undefined ? '' : String(value)
}

/** Rows that an api brings. Their values become texts, so no cell meets a value that it does not know. */
export function readExtraRows(value: unknown): ExtraPage {
  const { content, totalElements } = isPlainObject(value) ? value : wrong('getQueryList')
  const total = optional(totalElements, (one) =>
    Number.isSafeInteger(one) && (one as number) >= 0 ? (one as number) : wrong('totalElements'),
  )
  const rows = list(content, MAX_ROWS, 'content').map((one) => {
    if (!isPlainObject(one) || !isPlainObject(one.data)) return wrong('content')
    const entries = Object.entries(one.data).filter(([key]) => CODE.test(key))
    const texts = entries.map(([key, data]) => [key, shown(data).slice(0, LIMITS.text)] as const)
    return { id: text(one.id, 100, 'id'), texts: Object.fromEntries(texts) }
  })
  return { rows, total: total ?? null }
}

const nothing = () => null
const blocks = (value: unknown): boolean =>
  value === undefined || value === null ? true : typeof value === 'boolean' ? value : wrong('onPreAction')

/** A form's faults by property; none when all is well. */
function readFaults(value: unknown): Record<string, string> {
  if (value === undefined || value === null || value === true) return {}
  if (!isPlainObject(value) || Object.keys(value).length > MAX_CELLS) return wrong('onValidate')
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [code(key), words('onValidate')(one)]))
}

const readers = {
  list: {
    onPreLoad: readRequestChange,
    onLoad: readRowMarks,
    onRendered: nothing,
    onPreAction: blocks,
    onActionDone: nothing,
  },
  form: {
    onLoad: nothing,
    onRendered: nothing,
    onValidate: readFaults,
    onPreAction: blocks,
    onActionDone: nothing,
    onCustomAction: nothing,
  },
  portal: {} as Record<string, typeof nothing>,
} as const

type Readers = typeof readers
export type HookName<K extends PageKind> = keyof Readers[K] & string
export type HookResult<K extends PageKind, H extends HookName<K>> = Readers[K][H] extends (value: never) => infer R
  ? R
  : never

/** Checks what a hook returned. Throws a script fault. */
export function readResult<K extends PageKind, H extends HookName<K>>(kind: K, hook: H, value: unknown) {
  const read = (readers[kind] as Record<string, (value: unknown) => unknown>)[hook]
  return read?.(value) as HookResult<K, H>
}
