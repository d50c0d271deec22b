import type { FormField } from '@/api/types'
import { type Expr, within } from '@/lib/expression'
import { plainDefaults } from '@/sdk/row-defaults'
import { computedValue, type ScopeOf } from './rules'
import type { Values } from './values'

/** What a new row begins with in a record that has these values; columns may build on those before them. */
export function rowDefaults(columns: FormField[], values: Values, scopeOf: ScopeOf): Values {
  const row: Values = plainDefaults(columns)
  for (const { propertyCode, defaultRule } of columns) {
    if (!defaultRule) continue
    const value = computedValue(defaultRule as Expr, within(scopeOf(row), scopeOf(values)))
    if (value !== undefined && value !== null) row[propertyCode] = value
  }
  return row
}
