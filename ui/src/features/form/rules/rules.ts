import type { FormField, LayoutItem } from '@/api/types'
import { formatDecimal, isDecimal } from '@/lib/decimal'
import { type Expr, evaluate, type Scope, type Value, within } from '@/lib/expression'
import type { Operands } from './scope'
import type { Values } from './values'

/** What live rules say of a form's fields, for one state of its values. */
export interface RuleState {
  hidden: Set<string>
  required: Set<string>
  computed: Values
}

type Ruled = FormField & { displayRule?: unknown; requiredRule?: unknown; computeRule?: unknown }
type Row = Record<string, unknown>

/** The values as expressions see them; `row` are those of a sub-table's row. */
export type ScopeOf = (values: Values) => Scope

const failed = Symbol('failed')
/** The server has not told yet what the rule asks for. */
const waiting = Symbol('waiting')

/** The relations that the rules of a form follow to other records: what is there the server has to tell. */
export function farReads(fields: FormField[], layout: LayoutItem[]): string[] {
  const groups = (items: LayoutItem[]): unknown[] =>
    items.flatMap((item) => [item.displayRule, ...groups(item.items ?? [])])
  const rules = (fields as Ruled[]).flatMap((field) => [field.displayRule, field.requiredRule])
  return [...new Set([...rules, ...groups(layout)].flatMap((rule) => reachOf(rule).far))]
}

/** Whether a display rule lets something be shown; one that cannot be evaluated here does. */
export const holds = (rule: unknown, scope: Scope): boolean => run(rule, scope) !== false

/** A computed value as the form's data holds it. */
function toWire(value: Value): unknown {
  if (isDecimal(value)) return formatDecimal(value)
  if (value !== null && typeof value === 'object' && 'ms' in value) return new Date(value.ms).toISOString()
  return value
}

/** A rule that cannot be evaluated here (it needs the server) changes nothing. */
function run(rule: unknown, scope: Scope): unknown {
  try {
    return toWire(evaluate(rule as Expr, scope))
  } catch {
    return failed
  }
}

/** What a rule says; undefined where it cannot be evaluated here. */
export function computedValue(rule: Expr, scope: Scope): unknown {
  const value = run(rule, scope)
  return value === failed ? undefined : value
}

interface Reach {
  /** Fields and sub-tables that a rule names; of rows also columns, which costs nothing. */
  codes: string[]
  /** It asks for the time, which goes on without any change. */
  timed: boolean
  /** The relations that it follows from the record to others, which the server knows. */
  far: string[]
}

/** What a rule depends on. */
export function reachOf(rule: unknown): Reach {
  const codes = new Set<string>()
  const far = new Set<string>()
  let timed = false
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { op, column, sheet, name, path } = node as Expr // an array has none of them
    if (op === 'field' && path?.[0]) far.add(path[0])
    else if (op === 'field' && column) codes.add(column.split('__')[0] ?? column)
    if (op === 'var' && name === 'now') timed = true
    if (sheet) codes.add(sheet)
    Object.values(node).forEach(walk)
  }
  walk(rule)
  return { codes: [...codes], timed, far: [...far] }
}

/** A rule that is evaluated again only when something that it names has changed. */
function remembered(rule: unknown) {
  const { codes, timed, far } = reachOf(rule)
  let seen: unknown[] | null = null
  let known: unknown
  return (values: Values, scope: () => Scope, operands: Operands = null): unknown => {
    if (far.length > 0 && !operands) return waiting
    const now = [...codes.map((code) => values[code]), ...(far.length > 0 ? [operands] : [])]
    if (!timed && seen?.every((value, i) => value === now[i])) return known
    seen = now
    known = run(rule, scope())
    return known
  }
}

/** Those that others name come first. */
function inOrder(fields: Ruled[]): Ruled[] {
  const computed = new Map(fields.filter((field) => field.computeRule).map((field) => [field.propertyCode, field]))
  const out = new Set<Ruled>()
  const seen = new Set<string>()
  const visit = (code: string) => {
    const field = computed.get(code)
    if (!field || seen.has(code)) return
    seen.add(code)
    reachOf(field.computeRule).codes.forEach(visit)
    out.add(field)
  }
  computed.forEach((_, code) => void visit(code))
  return [...out]
}

/** Computes the columns of a sub-table. Rows of which nothing changed stay the rows they were. */
function rowRules(sheet: FormField) {
  const columns = inOrder((sheet.children ?? []) as Ruled[])
  if (columns.length === 0) return null
  const own = new Set((sheet.children ?? []).map((column) => column.propertyCode))
  const outer = [...new Set(columns.flatMap((column) => reachOf(column.computeRule).codes))].filter(
    (code) => !own.has(code) || columns.some((column) => namesOuter(column.computeRule, code)),
  )
  let known = new WeakMap<Row, Row>()
  let above: unknown[] = []
  let last: { from: unknown; to: Row[] } = { from: null, to: [] }
  const compute = (row: Row, record: Scope, scopeOf: ScopeOf): Row => {
    let now = row
    for (const column of columns) {
      const code = column.propertyCode
      const value = run(column.computeRule, within(scopeOf(now), record))
      if (value !== failed && (now[code] ?? null) !== value) now = { ...now, [code]: value }
    }
    return now
  }
  return (values: Values, scopeOf: ScopeOf): Row[] | null => {
    const rows = values[sheet.propertyCode]
    if (!Array.isArray(rows)) return null
    const now = outer.map((code) => values[code])
    if (now.some((value, i) => value !== above[i])) known = new WeakMap()
    else if (last.from === rows) return last.to
    above = now
    const record = scopeOf(values)
    const next = (rows as Row[]).map((row) => {
      const found = known.get(row) ?? compute(row, record, scopeOf)
      known.set(row, found)
      return found
    })
    const to = next.every((row, i) => row === rows[i]) ? (rows as Row[]) : next
    last = { from: rows, to }
    return to
  }
}

function namesOuter(rule: unknown, code: string): boolean {
  if (typeof rule !== 'object' || rule === null) return false
  const { op, outer, column } = rule as Expr
  if (op === 'field' && outer && column?.split('__')[0] === code) return true
  return Object.values(rule).some((part) => namesOuter(part, code))
}

const sameSet = (a: Set<string>, b: Set<string>) => a.size === b.size && [...a].every((one) => b.has(one))

/**
 * The display, requirement and compute rules of a form's fields, evaluated as far as a change reaches. The server applies
 * the same rules when it saves.
 */
export function makeRules(fields: FormField[]) {
  const computes = inOrder(fields as Ruled[]).map((field) => ({ field, of: remembered(field.computeRule) }))
  const sheets = fields.flatMap((field) => {
    const of = rowRules(field)
    return of ? [{ code: field.propertyCode, of }] : []
  })
  const shows = (fields as Ruled[]).filter((field) => field.displayRule)
  const displays = shows.map((field) => ({ code: field.propertyCode, of: remembered(field.displayRule) }))
  const musts = (fields as Ruled[]).filter((field) => field.required || field.requiredRule)
  const requires = musts.map((field) => ({
    code: field.propertyCode,
    of: field.required ? () => true : remembered(field.requiredRule),
  }))
  let last: RuleState = { hidden: new Set(), required: new Set(), computed: {} }

  return (values: Values, scopeOf: ScopeOf, operands: Operands = null): RuleState => {
    const computed: Values = {}
    let now = values
    const take = (code: string, value: unknown) => {
      computed[code] = value
      if (now[code] !== value) now = { ...now, [code]: value }
    }
    const record = () => {
      for (const { field, of } of computes) {
        const value = of(now, () => scopeOf(now))
        if (value !== failed && value !== waiting) take(field.propertyCode, value)
      }
    }
    record()
    // Rows may speak of the record, and the record of its rows.
    for (const { code, of } of sheets) {
      const rows = of(now, scopeOf)
      if (rows) take(code, rows)
    }
    if (sheets.length > 0) record()
    const scope = () => scopeOf(now)
    const hides = (value: unknown) => value === false || value === waiting
    const hidden = new Set(displays.flatMap(({ code, of }) => (hides(of(now, scope, operands)) ? [code] : [])))
    const required = new Set(requires.flatMap(({ code, of }) => (of(now, scope, operands) === true ? [code] : [])))
    last = {
      hidden: sameSet(hidden, last.hidden) ? last.hidden : hidden,
      required: sameSet(required, last.required) ? last.required : required,
      computed,
    }
    return last
  }
}
