import type { Filter, QueryCondition } from '@/api/types'
import { operandOf } from '@/sdk/conditions'
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
    filters[code] = found ? panelFilter(condition, found) : null
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
