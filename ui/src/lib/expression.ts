import * as calendar from './calendar'
import * as decimal from './decimal'
import { type Decimal, isDecimal } from './decimal'

/**
 * Evaluates the browser form of expressions (engine/expression/doc.go). The server compiles, this only computes; both are
 * tested with engine/expression/testdata/corpus.json. No text is ever evaluated here.
 */
export interface Expr {
  op: string
  kind?: string
  path?: string[]
  column?: string
  old?: boolean
  outer?: boolean
  name?: string
  cmp?: string
  set?: string
  sign?: string
  fn?: string
  sheet?: string
  prefix?: boolean
  codes?: string[]
  of?: Expr[]
  args?: Expr[]
  a?: Expr
  b?: Expr
  x?: Expr
  f?: Expr
  g?: Expr
  pattern?: Expr
  where?: Expr
  cond?: Expr
  then?: Expr
  else?: Expr
  value?: unknown
}

/** A point of time, in milliseconds. */
export interface Instant {
  readonly ms: number
}

/** null is the empty value of every kind. */
export type Value = string | boolean | string[] | Decimal | Instant | null

/** The values of one record, in their wire forms; fromWire reads them. */
export interface Scope {
  column(field: { path?: string[]; column: string; old: boolean }): unknown
  variable(name: string): unknown
  rows(sheet: string): Scope[]
}

/** An expression that cannot be computed: a number out of range or a value of the wrong form. */
export class ExpressionError extends Error {}

/** Computes an expression. */
export function evaluate(e: Expr, scope: Scope): Value {
  try {
    return compute(e, scope)
  } catch (cause) {
    if (cause instanceof ExpressionError) throw cause
    if (cause instanceof decimal.RangeFault || cause instanceof calendar.CalendarFault) {
      throw new ExpressionError(cause.message, { cause })
    }
    throw cause
  }
}

/** Tells whether a condition is true. No condition is true; one that cannot be computed is not. */
export function holds(e: Expr | null | undefined, scope: Scope): boolean {
  if (!e) return true
  try {
    return evaluate(e, scope) === true
  } catch (cause) {
    if (cause instanceof ExpressionError) return false
    throw cause
  }
}

/** The canonical text of a value: what the function text gives, and what a form's field takes. */
export function textOf(v: Value): string {
  if (v === null) return ''
  if (typeof v === 'string') return v
  if (typeof v === 'boolean') return String(v)
  if (Array.isArray(v)) return v.join(';')
  return isDecimal(v) ? decimal.formatDecimal(v) : new Date(v.ms).toISOString()
}

/** Reads a wire value ("12.5", {"id", "name"}, [{"id"}], ...) as a kind. What does not fit is empty. */
export function fromWire(kind: string | undefined, v: unknown): Value {
  if (v === null || v === undefined || v === '') return null
  switch (kind) {
    case 'number':
    case 'int':
      return decimal.parseDecimal(String(v)) ?? null
    case 'instant': {
      const ms = typeof v === 'string' ? Date.parse(v) : Number.NaN
      return Number.isNaN(ms) ? null : { ms }
    }
    case 'bool':
      return typeof v === 'boolean' ? v : null
    case 'set': {
      const members = Array.isArray(v) ? v : typeof v === 'string' ? v.split(';') : []
      const out = [...new Set(members.map(member).filter((m) => m !== null))]
      return out.length > 0 ? out : null
    }
    default:
      return member(v)
  }
}

/** A code or id; references and files come as objects, places too. */
function member(v: unknown): string | null {
  if (typeof v === 'string') return v === '' ? null : v
  if (typeof v !== 'object' || v === null) return null
  const { id, refId, code } = v as { id?: unknown; refId?: unknown; code?: unknown }
  const key = id ?? refId ?? code
  return typeof key === 'string' && key !== '' ? key : null
}

const must = <T>(part: T | undefined): T => {
  if (part === undefined) throw new ExpressionError('malformed expression')
  return part
}

function compute(e: Expr, s: Scope): Value {
  switch (e.op) {
    case 'const':
      return fromWire(e.kind, e.value)
    case 'field':
      return fromWire(e.kind, s.column({ path: e.path, column: must(e.column), old: e.old === true, ...outer(e) }))
    case 'var':
      return fromWire(e.kind, s.variable(must(e.name)))
    case 'and':
      return (e.of ?? []).every((x) => compute(x, s) === true)
    case 'or':
      return (e.of ?? []).some((x) => compute(x, s) === true)
    case 'not':
      return compute(must(e.x), s) !== true
    case 'compare':
      return compared(must(e.cmp), compute(must(e.a), s), compute(must(e.b), s))
    case 'null':
      return compute(must(e.x), s) === null
    case 'match':
      return matched(compute(must(e.x), s), compute(must(e.pattern), s), e.prefix === true)
    case 'set':
      return sets(must(e.set), members(compute(must(e.f), s)), members(compute(must(e.g), s)))
    case 'any':
      return s.rows(must(e.sheet)).some((r) => compute(must(e.where), within(r, s)) === true)
    case 'guarded':
      return compute(must(e.cond), s) === true ? compute(must(e.x), s) : null
    case 'rank': {
      const place = (e.codes ?? []).indexOf(compute(must(e.x), s) as string)
      return place < 0 ? null : decimal.integer(place)
    }
    case 'if':
      return compute(must(compute(must(e.cond), s) === true ? e.then : e.else), s)
    case 'arith':
      return arith(must(e.sign), compute(must(e.a), s), compute(must(e.b), s))
    case 'aggregate':
      return aggregate(e, s)
    case 'call':
      return call(must(e.fn), e.args ?? [], s)
  }
  return false // "server": only the server can tell
}

const outer = (e: Expr): object => (e.outer ? { outer: true } : {})

/** The scope of a sub-table's row: outer fields mean the record above. */
export function within(row: Scope, above: Scope): Scope {
  return {
    column: (f) => {
      const { outer, ...own } = f as typeof f & { outer?: boolean }
      return outer ? above.column(own) : row.column(own)
    },
    variable: above.variable,
    rows: row.rows,
  }
}

const isInstant = (v: Value): v is Instant => typeof v === 'object' && v !== null && 'ms' in v

/** Orders two values of one kind; texts by code point. */
function order(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return byCodePoint(a, b)
  if (isDecimal(a) && isDecimal(b)) return decimal.compare(a, b)
  if (isInstant(a) && isInstant(b)) return a.ms - b.ms
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  throw new ExpressionError('values of different kinds')
}

function byCodePoint(a: string, b: string): number {
  const x = [...a]
  const y = [...b]
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const d = (x[i]?.codePointAt(0) ?? 0) - (y[i]?.codePointAt(0) ?? 0)
    if (d !== 0) return d
  }
  return x.length - y.length
}

function compared(cmp: string, a: Value, b: Value): boolean {
  if (a === null || b === null) return false
  const n = order(a, b)
  switch (cmp) {
    case '==':
      return n === 0
    case '<':
      return n < 0
    case '<=':
      return n <= 0
    case '>':
      return n > 0
  }
  return n >= 0
}

const lower = (s: string): string => Array.from(s, (c) => [...c.toLowerCase()][0] ?? c).join('')
const upper = (s: string): string =>
  Array.from(s, (c) => ([...c.toUpperCase()].length === 1 ? c.toUpperCase() : c)).join('')

/** The folding of contains: NFC, then every character in lower case. */
export const fold = (s: string): string => lower(s.normalize('NFC'))

function matched(x: Value, pattern: Value, prefix: boolean): boolean {
  if (typeof x !== 'string' || typeof pattern !== 'string') return false
  return prefix ? x.startsWith(pattern) : fold(x).includes(fold(pattern))
}

function members(v: Value): string[] {
  if (v === null) return []
  if (typeof v === 'string') return [v]
  if (Array.isArray(v)) return v
  throw new ExpressionError('no set')
}

/** An empty side satisfies only "equal" with another empty side. */
function sets(op: string, f: string[], g: string[]): boolean {
  if (f.length === 0 || g.length === 0) return op === 'equal' && f.length === g.length
  const has = g.every((m) => f.includes(m))
  const inside = f.every((m) => g.includes(m))
  if (op === 'equal') return has && inside
  if (op === 'has') return has
  return op === 'within' ? inside : f.some((m) => g.includes(m))
}

function arith(sign: string, a: Value, b: Value): Value {
  if (a === null || b === null) return null
  if (!isDecimal(a) || !isDecimal(b)) throw new ExpressionError('no number')
  switch (sign) {
    case '+':
      return decimal.add(a, b)
    case '-':
      return decimal.add(a, decimal.negate(b))
    case '*':
      return decimal.multiply(a, b)
  }
  return decimal.divide(a, b) ?? null
}

function aggregate(e: Expr, s: Scope): Value {
  const values: Value[] = []
  for (const r of s.rows(must(e.sheet))) {
    const row = within(r, s)
    if (e.where && compute(e.where, row) !== true) continue
    const v = e.x ? compute(e.x, row) : true
    if (v !== null) values.push(v)
  }
  if (e.fn === 'count') return decimal.integer(values.length)
  if (values.length === 0) return null
  if (e.fn === 'minimum' || e.fn === 'maximum') return extreme(e.fn === 'minimum', values)
  const sum = values.reduce<Value>((x, y) => arith('+', x, y), decimal.integer(0))
  return e.fn === 'sum' ? sum : arith('/', sum, decimal.integer(values.length))
}

const extreme = (least: boolean, values: Value[]): Value =>
  values.reduce<Value>((best, v) => {
    if (v === null || best === null) return best ?? v
    return (least ? order(v, best) < 0 : order(v, best) > 0) ? v : best
  }, null)

const SPACE = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+'
const EDGES = new RegExp(`^${SPACE}|${SPACE}$`, 'g')
const orNull = (s: string): Value => (s === '' ? null : s)

function call(fn: string, args: Expr[], s: Scope): Value {
  if (fn === 'coalesce') {
    for (const a of args) {
      const v = compute(a, s)
      if (v !== null) return v
    }
    return null
  }
  const values = args.map((a) => compute(a, s))
  const [x = null, ...rest] = values
  switch (fn) {
    case 'concat':
      return orNull(values.map(textOf).join(''))
    case 'set': {
      const all = [...new Set(values.flatMap(members))]
      return all.length > 0 ? all : null
    }
    case 'min':
    case 'max':
      return extreme(fn === 'min', values)
    case 'length':
      return decimal.integer(x === null ? 0 : [...(x as string | string[])].length)
    case 'among':
      return rest.some((v) => compared('==', x, v))
    case 'between':
      return compared('>=', x, rest[0] ?? null) && compared('<=', x, rest[1] ?? null)
  }
  if (values.some((v) => v === null)) return null
  const f = functions[fn]
  if (!f) throw new ExpressionError(`unknown function ${fn}`)
  return f(values)
}

const numberAt = (v: Value | undefined): Decimal => {
  if (v === undefined || !isDecimal(v)) throw new ExpressionError('no number')
  return v
}
const textAt = (v: Value | undefined): string => {
  if (typeof v !== 'string') throw new ExpressionError('no text')
  return v
}
const instantAt = (v: Value | undefined): number => {
  if (v === undefined || !isInstant(v)) throw new ExpressionError('no instant')
  return v.ms
}

/** A whole number of small size. */
function smallAt(v: Value | undefined, most: number): number {
  const n = decimal.whole(numberAt(v))
  if (n === undefined || Math.abs(n) > most) throw new ExpressionError('argument out of range')
  return n
}

/** A text by which codes sort as people order them: each number has how many digits it has before it (engine/expression/codeorder.go). */
const codeOrder = (code: string) =>
  code.replace(/[./_ ]/g, '-').replace(/[0-9]+/g, (number) => {
    const digits = number.replace(/^0+/, '')
    return lengthOf(digits.length) + digits
  })
const lengthOf = (n: number): string => (n <= 8 ? String(n) : `9${lengthOf(String(n).length)}${n}`)

/** Functions of values that are all present. */
const functions: Record<string, (v: Value[]) => Value> = {
  abs: ([x]) => decimal.absolute(numberAt(x)),
  round: ([x, n]) => decimal.fit(decimal.round(numberAt(x), n === undefined ? 0 : smallAt(n, 16))),
  upper: ([x]) => orNull(upper(textAt(x))),
  lower: ([x]) => orNull(lower(textAt(x))),
  trim: ([x]) => orNull(textAt(x).replace(EDGES, '')),
  codeOrder: ([x]) => orNull(codeOrder(textAt(x))),
  text: ([x]) => orNull(textOf(x ?? null)),
  number: ([x]) => decimal.parseDecimal(textAt(x).replace(EDGES, '')) ?? null,
  year: ([x]) => decimal.integer(calendar.part(textAt(x), 'year')),
  month: ([x]) => decimal.integer(calendar.part(textAt(x), 'month')),
  day: ([x]) => decimal.integer(calendar.part(textAt(x), 'day')),
  days: ([a, b]) => decimal.integer(calendar.daysBetween(textAt(a), textAt(b))),
  addDays: ([x, n]) => calendar.addDays(textAt(x), Number(decimal.formatDecimal(numberAt(n)))),
  hour: ([x, zone]) =>
    decimal.integer(typeof x === 'string' ? Number(x.slice(0, 2)) : calendar.hourIn(instantAt(x), textAt(zone))),
  date: ([x, zone]) => calendar.dateIn(instantAt(x), textAt(zone)),
  dayStart: ([x, zone, n]) => ({ ms: calendar.dayStart(textAt(x), textAt(zone), smallAt(n, 1)) }),
}
