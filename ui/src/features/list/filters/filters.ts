import type { Filter, QueryCondition } from '@/api/types'
import { defaultFilter, operandOf } from '@/sdk/conditions'
import type { FilterValue } from '@/sdk/property'
import type { ListView } from '../data/url-state'

type Filters = ListView['filters']

/** Stored filters as the panel holds them; what the list has no condition for any more is left in, so that the page can say so. */
export function panelFilters(conditions: QueryCondition[], stored: Filter[]): Filters {
  const filters: Filters = {}
  for (const condition of conditions) {
    if (!condition.visible) continue
    const code = condition.propertyCode
    const found = stored.find((filter) => filter.propertyCode === code)
    const given = found ? panelFilter(condition, found) : null
    // Cleared is said of a default only: without one there is nothing to clear, and an address needs no word for it.
    if (given || defaultFilter(condition)) filters[code] = given
  }
  for (const one of stored) {
    const code = one.propertyCode
    if (!code || conditions.some((condition) => condition.propertyCode === code)) continue
    const lost = panelFilter({ queryFilterType: '' }, one)
    if (lost) filters[code] = lost
  }
  return filters
}

function panelFilter(condition: Pick<QueryCondition, 'queryFilterType'>, stored: Filter): FilterValue | null {
  const operator = String(stored.queryFilterType ?? condition.queryFilterType)
  const value = stored.propertyValue
  const text = Array.isArray(value) ? value.join(';') : String(value ?? '')
  if (!text && operandOf(operator) !== 'nothing') return null
  return {
    value: text,
    ...(stored.propertyValueName ? { label: stored.propertyValueName } : {}),
    ...(operator === condition.queryFilterType ? {} : { operator }),
  }
}
