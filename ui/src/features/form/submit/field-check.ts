import { useMemo } from 'react'
import type { FormField, Option } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { type Expr, type Scope, within } from '@/lib/expression'
import { localName } from '@/lib/local-name'
import { isUnread } from '@/sdk/property'
import { asksOf, resolveCheck } from '@/sdk/resolve'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { type Describe, faultOf } from '../fields/validator'
import { computedValue, reachOf } from '../rules/rules'
import { formScope } from '../rules/scope'
import type { ValueStore } from '../rules/value-store'
import { isNothing, type Values } from '../rules/values'

export interface ValueFault {
  message: string
  /** It is said while people type, not when they have left the field. */
  atOnce: boolean
}

/** What is wrong with one value, besides that it is missing; `row` is the sub-table's row that it is in. */
export type ValueCheck = (
  field: FormField,
  schema: object | undefined,
  value: unknown,
  row?: Values,
) => ValueFault | null

const patterns = new Map<string, RegExp | null>()

/** An author's pattern (RE2, a whole text) as the browser reads it; null where it would mean something else here. */
export function patternOf(pattern: string): RegExp | null {
  const known = patterns.get(pattern)
  if (known !== undefined) return known
  let made: RegExp | null = null
  try {
    // Classes like [[:alpha:]] mean other things in JavaScript, and its \s and dot know more characters.
    if (!/\[:/.test(pattern)) made = new RegExp(`^(?:${pattern.replace(/\\([pP])([A-Z])/g, '\\$1{$2}')})$`, 'u')
  } catch {
    // only the server can tell
  }
  patterns.set(pattern, made)
  return made
}

type Rule = NonNullable<FormField['rules']>[number]

/** Whether a value keeps a rule of its property. What cannot be decided here the server decides. */
export function keeps(rule: Rule, value: unknown, known: ReadonlySet<string>, scope: () => Scope): boolean {
  if (rule.pattern !== undefined)
    return typeof value !== 'string' || (patternOf(rule.pattern)?.test(value.normalize('NFC')) ?? true)
  if (!rule.formula || reachOf(rule.formula).codes.some((code) => !known.has(code))) return true
  return computedValue(rule.formula as Expr, scope()) !== false
}

const codesOf = (value: unknown) => (isNothing(value) ? [] : [value].flat())

const disabled = new WeakMap<FormField, Option[]>()

/** An option that may only stay where it is, and was chosen again. */
export function switchedOff(field: FormField, value: unknown, before: () => unknown): Option | undefined {
  const off = disabled.get(field) ?? (field.options ?? []).filter((option) => option.disabled)
  disabled.set(field, off)
  if (off.length === 0) return undefined
  const codes = codesOf(value)
  const chosen = off.filter((option) => codes.includes(option.code))
  const had = chosen.length > 0 ? codesOf(before()) : []
  return chosen.find((option) => !had.includes(option.code))
}

/** What is in the record, or in its row of that id. */
function standing(base: Values, code: string, row?: Values): unknown {
  if (!row) return base[code]
  if (row.id === undefined) return undefined
  for (const rows of Object.values(base)) {
    const found = Array.isArray(rows) && rows.find((one) => (one as Values | null)?.id === row.id)
    if (found) return (found as Values)[code]
  }
  return undefined
}

/** Judges values as the server does, in its words: by their type, by the schema, by the author's rules. */
export function useFieldCheck(
  fields: FormField[],
  describe: Describe,
  store: ValueStore,
  /** What the record holds, {} of a new one. */
  base: Values,
): ValueCheck {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  return useMemo(() => {
    const record = new Set(fields.map((field) => field.propertyCode))
    const scopeOf = formScope(context)
    return (field, schema, value, row) => {
      const code = field.propertyCode
      if (field.readOnly || isNothing(value)) return null
      if (isUnread(value)) {
        const kind = asksOf(field)
        return { message: t(kind ? `date.enter.${kind}` : 'sheet.notUnderstood'), atOnce: true }
      }
      const own = resolveCheck(field.propertyType)?.(value, field)
      if (own) return { message: t(`form.${own.key}`, own), atOnce: own.key === 'tooLong' }
      const found = schema ? faultOf(schema, value) : null
      if (found) return { message: describe({ ...found, code }), atOnce: found.keyword === 'maxLength' }
      const off = switchedOff(field, value, () => standing(base, field.propertyCode, row))
      if (off) return { message: t('form.disabled', { name: localName(off, locale) }), atOnce: false }
      const known = row ? new Set([...record, ...Object.keys(row), code]) : record
      const scope = () => (row ? within(scopeOf(row), scopeOf(store.all())) : scopeOf(store.all()))
      const broken = field.rules?.find((rule) => !keeps(rule, value, known, scope))
      if (!broken) return null
      const { message, message_i18n } = broken
      const said = message ? localName({ name: message, name_i18n: message_i18n ?? null }, locale) : ''
      return { message: said || t(broken.pattern === undefined ? 'form.rule' : 'form.patternRule'), atOnce: false }
    }
  }, [fields, describe, store, base, context, locale, t])
}
