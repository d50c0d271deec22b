import type { FormField } from '@/api/types'
import { formatDecimal, isDecimal } from '@/lib/decimal'
import { type Expr, evaluate, type Scope, type Value } from '@/lib/expression'
import type { Values } from './values'

/** What live rules say of a form's fields, for one state of its values. */
export interface RuleState {
  hidden: Set<string>
  required: Set<string>
  computed: Values
}

type Ruled = FormField & { displayRule?: unknown; requiredRule?: unknown; computeRule?: unknown }

/** Evaluates the display, requirement and compute rules. The server applies the same rules when it saves. */
export function applyRules(fields: FormField[], values: Values, scope: (values: Values) => Scope): RuleState {
  const state: RuleState = { hidden: new Set(), required: new Set(), computed: {} }
  let now = values
  for (const field of fields as Ruled[]) {
    if (!field.computeRule) continue
    const value = run(field.computeRule, scope(now))
    if (value === failed) continue
    state.computed[field.propertyCode] = value
    now = { ...now, [field.propertyCode]: value }
  }
  const at = scope(now)
  for (const field of fields as Ruled[]) {
    if (field.displayRule && run(field.displayRule, at) === false) state.hidden.add(field.propertyCode)
    if (field.required || (field.requiredRule && run(field.requiredRule, at) === true))
      state.required.add(field.propertyCode)
  }
  return state
}

/** Whether a display rule lets something be shown; one that cannot be evaluated here does. */
export const holds = (rule: unknown, scope: Scope): boolean => run(rule, scope) !== false

/** A computed value as the form's data holds it. */
function toWire(value: Value): unknown {
  if (isDecimal(value)) return formatDecimal(value)
  if (value !== null && typeof value === 'object' && 'ms' in value) return new Date(value.ms).toISOString()
  return value
}

const failed = Symbol('failed')

/** A rule that cannot be evaluated here (it needs the server) changes nothing. */
function run(rule: unknown, scope: Scope): unknown {
  try {
    return toWire(evaluate(rule as Expr, scope))
  } catch {
    return failed
  }
}
